import type { IncomingHttpHeaders } from 'node:http';
import { UserError } from '../base/errors.ts';
import { type Expectation, payloadOf } from './exchange.ts';

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

/**
 * The answer to expect: what several to the same request have in common. `wanted` is the status asked for, if any.
 * @throws UserError for an error or redirection not asked for, a status that varies, and a body that is too large.
 */
export function expectationOf(
  answers: readonly ProbeResponse[],
  wanted: number | null,
): Expectation {
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
