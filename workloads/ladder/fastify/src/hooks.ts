import type { FastifyInstance } from 'fastify';
import { HOOKS } from 'ladder-common/hooks';

declare module 'fastify' {
  interface FastifyRequest {
    /** How many hooks it has gone through. */
    passed: number;
  }
}

/** Hooks that only count themselves. */
export function hooks(app: FastifyInstance): void {
  app.decorateRequest('passed', 0);
  for (let hook = 0; hook < HOOKS; hook++) {
    app.addHook('onRequest', (request, _reply, done) => {
      request.passed += 1;
      done();
    });
  }
}
