import { STATUS_CODES } from 'node:http';

/** What is thrown where a framework has no class of its own for it: it is answered with this status. */
export class HttpError extends Error {
  readonly statusCode: number;

  constructor(statusCode: number) {
    super(STATUS_CODES[statusCode] ?? 'Error');
    this.statusCode = statusCode;
  }
}

/** The answer to an error: the same in all frameworks, however each words its own. */
export function problemOf(statusCode: number): { statusCode: number; error: string } {
  return { statusCode, error: STATUS_CODES[statusCode] ?? 'Error' };
}

/** The status of whatever was thrown; what says nothing about itself is the server's own fault. */
export function statusOf(thrown: unknown): number {
  const isSaid = typeof thrown === 'object' && thrown !== null && 'statusCode' in thrown;
  return isSaid && typeof thrown.statusCode === 'number' ? thrown.statusCode : 500;
}
