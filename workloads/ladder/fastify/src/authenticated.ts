import type { FastifyInstance } from 'fastify';
import { HttpError } from 'ladder-common/errors';
import { userOf } from 'ladder-common/token';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whom the token names. */
    user: string;
  }
}

/** Lets only those pass whose token is ours. */
export function authenticated(app: FastifyInstance): void {
  app.decorateRequest('user', '');
  app.addHook('onRequest', async (request) => {
    const user = await userOf(request.headers.authorization);
    if (user === null) throw new HttpError(401);
    request.user = user;
  });
}
