import { createHash } from 'node:crypto';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';

/** Bytes as they stand in records and orders: as text, or in base64 where they are none. */
export const payloadSchema = z.object({ encoding: z.enum(['utf8', 'base64']), data: z.string() });
export type Payload = z.infer<typeof payloadSchema>;

/** All but HEAD: the client under load would wait for the body whose length such an answer has. */
export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** A path with its query as it is sent, `/café` as `/caf%C3%A9`; null for what is none. */
export function sentPath(text: string): string | null {
  const whole = `http://host${text}`;
  if (!/^\/[^\s#]*$/.test(text) || !URL.canParse(whole)) return null;
  const { pathname, search } = new URL(whole);
  return pathname + search;
}

/** Whether a header of this name and value can be sent. */
export function canBeSent(name: string, value: string): boolean {
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
  /** Those that matter, their names in any case. */
  headers: z.record(z.string(), z.string()),
  body: z.discriminatedUnion('kind', [
    /** The whole of it, byte for byte. */
    z.object({ kind: z.literal('bytes'), bytes: payloadSchema }),
    /** JSON of this value, however it is written. */
    z.object({ kind: z.literal('json'), value: z.json() }),
    /** Whatever this command, run in the target's folder, finds to be right, the same every time. */
    z.object({ kind: z.literal('check'), command: z.tuple([z.string()], z.string()) }),
    /** So many bytes, whichever. */
    z.object({ kind: z.literal('length'), bytes: z.int() }),
    z.object({ kind: z.literal('any') }),
    /** In a record, which has no room for a large one: of its bytes, or of its value as JSON. */
    z.object({ kind: z.literal('digest'), sha256: z.string(), bytes: z.int() }),
  ]),
});
/** The declared answer. */
export type Expectation = z.infer<typeof expectationSchema>;

export const exchangeSchema = z.object({
  request: requestSchema,
  /** How often it comes among the others of its target, over the sum of their weights. */
  weight: z.int().min(1),
  expect: expectationSchema,
});
/** A request that a target is sent, and the answer that it declares. */
export type Exchange = z.infer<typeof exchangeSchema>;

export const agreedSchema = z.object({
  request: requestSchema,
  weight: z.int().min(1),
  answer: z.object({
    status: z.int(),
    /** The very bytes that were verified; null where nobody looked. */
    body: payloadSchema.nullable(),
    /** Where no bytes are compared: how many there are to be; null where that is all the same. */
    length: z.int().nullable(),
  }),
});
/** A request as it is put on a server, and what every answer to it is compared with. */
export type ExpectedExchange = z.infer<typeof agreedSchema>;

/** A larger body is in a record as its digest, bytes. */
const RECORDED_BYTES = 16_384;

/** What stands for a value that is nobody else's business. */
const HIDDEN = '…';

/** An exchange without what its request has in its headers and its body. */
export function withoutSecrets(exchange: Exchange): Exchange {
  const { headers, body } = exchange.request;
  const hidden = Object.fromEntries(Object.keys(headers).map((name) => [name, HIDDEN]));
  const payload = body && ({ encoding: 'utf8', data: HIDDEN } as const);
  return { ...exchange, request: { ...exchange.request, headers: hidden, body: payload } };
}

/** An exchange as a record keeps it, which grows with every target. */
export function recordedExchange(exchange: Exchange): Exchange {
  const { body } = exchange.expect;
  if (body.kind !== 'bytes' && body.kind !== 'json') return exchange;
  const all = body.kind === 'bytes' ? bytesOf(body.bytes) : Buffer.from(JSON.stringify(body.value));
  if (all.length <= RECORDED_BYTES) return exchange;
  const sha256 = createHash('sha256').update(all).digest('hex');
  const digest = { kind: 'digest', sha256, bytes: all.length } as const;
  return { ...exchange, expect: { ...exchange.expect, body: digest } };
}

/** These bytes, readable where they are text. */
export function payloadOf(bytes: Buffer): Payload {
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes)
    ? { encoding: 'utf8', data: text }
    : { encoding: 'base64', data: bytes.toString('base64') };
}

export function bytesOf({ encoding, data }: Payload): Buffer {
  return Buffer.from(data, encoding);
}

/** An exchange that sends nothing but a line, and expects a text. */
export function textExchange(
  { method, path }: Pick<Exchange['request'], 'method' | 'path'>,
  { status, headers, body }: Pick<Expectation, 'status' | 'headers'> & { body: string },
): Exchange {
  const bytes = { encoding: 'utf8', data: body } as const;
  return {
    request: { method, path, headers: {}, body: null },
    weight: 1,
    expect: { status, headers, body: { kind: 'bytes', bytes } },
  };
}

/** What is known of an exchange before anybody has looked at an answer. */
export function declaredOnly({
  request,
  weight,
  expect: { status, body },
}: Exchange): ExpectedExchange {
  return {
    request,
    weight,
    answer: {
      status,
      body: body.kind === 'bytes' ? body.bytes : null,
      length: body.kind === 'length' ? body.bytes : null,
    },
  };
}

/** What the body of an answer is held against: its bytes, their number, or nothing. */
export function rightBody({ body, length }: ExpectedExchange['answer']): Buffer | number | null {
  return body === null ? length : bytesOf(body);
}

/** A request in a message: `GET /users/1`. */
export function requestName({ request: { method, path } }: Pick<Exchange, 'request'>): string {
  return `${method} ${path}`;
}

/** The one of a target's exchanges whose turn it is after so many. @throws where there is none. */
export function inTurn(exchanges: readonly Exchange[], asked: number): Exchange {
  const exchange = exchanges[asked % exchanges.length];
  if (exchange === undefined) throw new Error('a target without a request');
  return exchange;
}
