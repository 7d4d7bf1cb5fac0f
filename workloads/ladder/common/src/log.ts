import type { IncomingMessage, ServerResponse } from 'node:http';
import { pino } from 'pino';

/** What a line says of a request and of its answer. */
export const serializers = {
  req: ({ method = '', url = '' }: Pick<IncomingMessage, 'method' | 'url'>) => ({ method, url }),
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
