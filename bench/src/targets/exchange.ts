import { createHash } from 'node:crypto';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';

/** Bytes in records and orders: as text, or in base64 if they are not text. */
export const payloadSchema = z.object({ encoding: z.enum(['utf8', 'base64']), data: z.string() });
export type Payload = z.infer<typeof payloadSchema>;

/** All but HEAD: the load generator would wait for a body of the length that such an answer announces. */
export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** A path with its query as it is sent, `/café` as `/caf%C3%A9`; null if this is not a path. */
export function encodedPath(text: string): string | null {
  const whole = `http://host${text}`;
  if (!/^\/[^\s#]*$/.test(text) || !URL.canParse(whole)) return null;
  const { pathname, search } = new URL(whole);
  return pathname + search;
}

export function isValidHeader(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

const requestSchema = z.object({
  method: z.enum(HTTP_METHODS),
  path: z.string().startsWith('/'),
  headers: z.record(z.string(), z.string()),
  body: payloadSchema.nullable(),
});

const expectationSchema = z.object({
  status: z.int(),
  /** The headers that matter; the case of their names does not. */
  headers: z.record(z.string(), z.string()),
  body: z.discriminatedUnion('kind', [
    /** Exactly these bytes. */
    z.object({ kind: z.literal('bytes'), bytes: payloadSchema }),
    /** JSON of this value, however it is formatted. */
    z.object({ kind: z.literal('json'), value: z.json() }),
    /** Any body that this command, run in the target's folder, accepts; it is the same every time. */
    z.object({ kind: z.literal('check'), command: z.tuple([z.string()], z.string()) }),
    /** Any bytes, this many. */
    z.object({ kind: z.literal('length'), bytes: z.int() }),
    z.object({ kind: z.literal('any') }),
    /** In records, for a large body: the digest of its bytes, or of its value as JSON. */
    z.object({ kind: z.literal('digest'), sha256: z.string(), bytes: z.int() }),
  ]),
});
export type Expectation = z.infer<typeof expectationSchema>;

export const exchangeSchema = z.object({
  request: requestSchema,
  /** Its share of the target's requests is this over the sum of all weights. */
  weight: z.int().min(1),
  expect: expectationSchema,
});
/** A request to a target, and the answer that the target declares. */
export type Exchange = z.infer<typeof exchangeSchema>;

export const agreedSchema = exchangeSchema.omit({ expect: true }).extend({
  answer: z.object({
    status: z.int(),
    /** The bytes that were verified; null if nothing was. */
    body: payloadSchema.nullable(),
    /** If no bytes are compared, their expected number; null if that does not matter either. */
    length: z.int().nullable(),
  }),
});
/** A request under load, and what every answer to it is compared with. */
export type ExpectedExchange = z.infer<typeof agreedSchema>;

/** A larger body is recorded as its digest, bytes. */
const RECORDED_BYTES = 16_384;

const HIDDEN = '…';

/** An exchange without the values of its request's headers, and without its body. */
export function withoutSecrets(exchange: Exchange): Exchange {
  const { headers, body } = exchange.request;
  const hidden = Object.fromEntries(Object.keys(headers).map((name) => [name, HIDDEN]));
  const payload = body && ({ encoding: 'utf8', data: HIDDEN } as const);
  return { ...exchange, request: { ...exchange.request, headers: hidden, body: payload } };
}

export function recordedExchange(exchange: Exchange): Exchange {
  const { body } = exchange.expect;
  if (body.kind !== 'bytes' && body.kind !== 'json') return exchange;
  const all = body.kind === 'bytes' ? bytesOf(body.bytes) : Buffer.from(JSON.stringify(body.value));
  if (all.length <= RECORDED_BYTES) return exchange;
  const sha256 = createHash('sha256').update(all).digest('hex');
  const digest = { kind: 'digest', sha256, bytes: all.length } as const;
  return { ...exchange, expect: { ...exchange.expect, body: digest } };
}

export function payloadOf(bytes: Buffer): Payload {
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes)
    ? { encoding: 'utf8', data: text }
    : { encoding: 'base64', data: bytes.toString('base64') };
}

export function bytesOf({ encoding, data }: Payload): Buffer {
  return Buffer.from(data, encoding);
}

type TextParts = Pick<Exchange['request'], 'method' | 'path'> & Omit<Expectation, 'body'>;

/** An exchange that sends no headers or body and expects a text: `GET /` with 200 unless `parts` says otherwise. */
export function textExchange(data: string, parts: Partial<TextParts> = {}): Exchange {
  const { method = 'GET', path = '/', status = 200, headers = {} } = parts;
  const bytes = { encoding: 'utf8', data } as const;
  const request = { method, path, headers: {}, body: null };
  return { request, weight: 1, expect: { status, headers, body: { kind: 'bytes', bytes } } };
}

/** What answers are compared with before any has been verified. */
export function unverifiedExchange({ request, weight, expect }: Exchange): ExpectedExchange {
  const { status, body } = expect;
  const bytes = body.kind === 'bytes' ? body.bytes : null;
  const length = body.kind === 'length' ? body.bytes : null;
  return { request, weight, answer: { status, body: bytes, length } };
}

/** A request in a message: `GET /users/1`. */
export function requestName({ request: { method, path } }: Pick<Exchange, 'request'>): string {
  return `${method} ${path}`;
}

/** The exchange whose turn it is after so many requests to a target. @throws if it has none. */
export function exchangeAt(exchanges: readonly Exchange[], asked: number): Exchange {
  const exchange = exchanges[asked % exchanges.length];
  if (exchange === undefined) throw new Error('a target without a request');
  return exchange;
}
