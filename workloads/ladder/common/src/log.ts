import type { IncomingMessage, ServerResponse } from 'node:http';
import { pino } from 'pino';

/** A request as Node has it; where a middleware is on a path, its own URL lacks that. */
export interface Logged extends Pick<IncomingMessage, 'method' | 'url'> {
  originalUrl?: string;
}

/** What a line says of a request and of its answer. */
export const serializers = {
  req: ({ method = '', url = '', originalUrl = url }: Logged) => ({ method, url: originalUrl }),
  res: ({ statusCode }: Pick<ServerResponse, 'statusCode'>) => ({ statusCode }),
};

/** Of a line about a request. */
export const COMPLETED = 'request completed';

/** How many bytes are gathered before they are written. */
const BUFFER_BYTES = 4096;

/** Writes lines in the background, to where nobody reads them unless the environment says where. */
export const destination = pino.destination({
  dest: process.env.LOG_FILE ?? '/dev/null',
  sync: false,
  minLength: BUFFER_BYTES,
});
