import { pinoHttp } from 'pino-http';
import { destination, serializers } from './log.js';

/** A line a request, once it is answered: the middleware for what has none of its own. */
export const HTTP_OPTIONS = { serializers, wrapSerializers: false };

export const requestLog = pinoHttp(HTTP_OPTIONS, destination);
