import type { FastifyInstance } from 'fastify';
import { COMPLETED } from 'ladder-common/log';

/** A line a request, once it is answered. */
export function requestLog(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info({ req: request, res: reply, responseTime: reply.elapsedTime }, COMPLETED);
    done();
  });
}
