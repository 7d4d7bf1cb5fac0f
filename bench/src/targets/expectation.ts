import type { IncomingHttpHeaders } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { UserError } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import { bytesOf, type Exchange, payloadOf, unverifiedExchange } from './exchange.ts';

/** One of several answers to the same request. */
export interface ProbeResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** The largest body that is measured, since every request under way holds one in memory on both sides. */
export const LARGEST_BODY = 16e6;
const LOWEST_ERROR = 400;
const LOWEST_REDIRECTION = 300;

/** What these answers have in common. @throws UserError for a status that varies or is not wanted, or a large body. */
export function expectationOf(
  answers: readonly ProbeResponse[],
  wanted: number | null,
): Exchange['expect'] {
  const [first] = answers;
  if (first === undefined) throw new Error('nothing was asked');
  const { status, headers, body } = first;
  const other = answers.find((answer) => answer.status !== status);
  if (other !== undefined) {
    throw new UserError(
      `it answers with status ${status} and with ${other.status}`,
      'Give a request that it always answers alike, with --path or --method.',
    );
  }
  requireStatus(first, wanted);
  if (body.length > LARGEST_BODY) {
    const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
    throw new UserError(
      `its answer has ${megabytes(body.length)}, and ${megabytes(LARGEST_BODY)} can be measured`,
      'Ask it for less, with --path.',
    );
  }
  const type = headers['content-type'];
  const isSame = answers.every((answer) => answer.body.equals(body));
  const isAsLong = answers.every((answer) => answer.body.length === body.length);
  return {
    status,
    headers: type === undefined ? {} : { 'content-type': type },
    body: isSame
      ? { kind: 'bytes', bytes: payloadOf(body) }
      : isAsLong
        ? { kind: 'length', bytes: body.length }
        : { kind: 'any' },
  };
}

function requireStatus({ status, headers }: ProbeResponse, wanted: number | null): void {
  if (wanted === status || (wanted === null && status < LOWEST_REDIRECTION)) return;
  if (wanted !== null) {
    throw new UserError(
      `it answers with status ${status}, not ${wanted}`,
      'Give the status that it answers with, by --status, or another --path.',
    );
  }
  if (status >= LOWEST_ERROR) {
    throw new UserError(
      `it answers with status ${status}`,
      `Give another --path, or --status ${status} if that is what it is to answer.`,
    );
  }
  throw new UserError(
    `it redirects (${status}) to ${headers.location ?? 'nowhere'}`,
    `Ask for that, with --path, or give --status ${status} to measure the redirection.`,
  );
}

/** Whether the answers to a request may differ. */
export function mayChange({ expect: { body } }: Exchange): boolean {
  return body.kind === 'any' || body.kind === 'length';
}

/** What answers are compared with once this body was verified. */
export function verifiedExchange(exchange: Exchange, body: Buffer | undefined) {
  const declared = unverifiedExchange(exchange);
  if (body === undefined || mayChange(exchange)) return declared;
  return { ...declared, answer: { ...declared.answer, body: payloadOf(body) } };
}

const anyJson = z.unknown().transform((value) => ({ value }));

/** How an answer differs from the declared one; null if it does not. */
export function problemOf({ status, headers, body }: ProbeResponse, expected: Exchange['expect']) {
  const wrong = (found: string, right: string | number) => {
    return `it answered with ${found} instead of ${right}`;
  };
  if (status !== expected.status) return wrong(`status ${status}`, expected.status);
  for (const [name, value] of Object.entries(expected.headers)) {
    const found = headers[name.toLowerCase()];
    if (found !== value) return wrong(`${name}: ${found ?? 'nothing'}`, value);
  }
  const right = expected.body;
  switch (right.kind) {
    case 'any':
    // The command runs later, only if status and headers are right.
    case 'check':
      return null;
    case 'length':
      if (body.length === right.bytes) return null;
      return wrong(`a body of ${body.length} bytes`, right.bytes);
    case 'digest':
      throw new Error('the digest that a record keeps of an answer can not be verified');
    case 'json': {
      const found = parseJson(body.toString(), anyJson);
      if (found === null) return `it answered with ${excerpt(body)}, which is not JSON`;
      if (isDeepStrictEqual(found.value, right.value)) return null;
      return wrong(`the JSON ${excerpt(body)}`, excerpt(Buffer.from(JSON.stringify(right.value))));
    }
    case 'bytes': {
      const bytes = bytesOf(right.bytes);
      return body.equals(bytes) ? null : wrong(`the body ${excerpt(body)}`, excerpt(bytes));
    }
  }
}

/** Characters of a body that a message shows. */
const EXCERPT = 60;

export function excerpt(body: Buffer): string {
  if (payloadOf(body).encoding !== 'utf8') return `<${body.length} B of binary data>`;
  const text = body.toString();
  return JSON.stringify(text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text);
}
