import type { IncomingHttpHeaders } from 'node:http';
import { UserError } from '../base/errors.ts';
import { type Expectation, payloadOf } from './exchange.ts';

/** One of several answers to the same request. */
export interface ProbeResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** The largest answer whose body is held in memory, on both sides, by every request under way. */
export const LARGEST_BODY = 16e6;
const LOWEST_ERROR = 400;
const LOWEST_REDIRECTION = 300;

/**
 * The answer to expect, from several to the same request: what is the same in all of them.
 * @throws UserError for an error or a redirection that nobody asked for, for a status that changes, and
 * for a body that is too large to be measured.
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
  checkStatus(first, wanted);
  if (body.length > LARGEST_BODY) {
    throw new UserError(
      `its answer has ${megabytes(body.length)} MB, and ${megabytes(LARGEST_BODY)} MB can be measured`,
      'Ask it for less, with --path.',
    );
  }
  const type = headers['content-type'];
  return {
    status,
    headers: type === undefined ? {} : { 'content-type': type },
    body: sameIn(answers),
  };
}

function checkStatus({ status, headers }: ProbeResponse, wanted: number | null): void {
  if (wanted !== null && status !== wanted) {
    throw new UserError(
      `it answers with status ${status}, not ${wanted}`,
      'Give the status that it answers with, by --status, or another --path.',
    );
  }
  if (wanted !== null || status < LOWEST_REDIRECTION) return;
  if (status < LOWEST_ERROR) {
    throw new UserError(
      `it redirects (${status}) to ${headers.location ?? 'nowhere'}`,
      `Ask for that, with --path, or give --status ${status} to measure the redirection.`,
    );
  }
  throw new UserError(
    `it answers with status ${status}`,
    `Give another --path, or --status ${status} if that is what it is to answer.`,
  );
}

function sameIn(answers: readonly ProbeResponse[]): Expectation['body'] {
  const [first, ...others] = answers.map(({ body }) => body);
  if (first === undefined) return { kind: 'any' };
  if (others.every((body) => body.equals(first))) {
    return { kind: 'bytes', bytes: payloadOf(first) };
  }
  const { length } = first;
  return others.every((body) => body.length === length)
    ? { kind: 'length', bytes: length }
    : { kind: 'any' };
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}
