import fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify';
import type { Settings } from 'ladder-common/rung';
import { routes } from './routes.js';

/** As strict as the other validators: what is no order is refused, and not made into one. */
const STRICT = { customOptions: { coerceTypes: false, removeAdditional: false } } as const;

/** What is served; only what a rung needs is imported and registered. */
export async function appOf(settings: Settings): Promise<FastifyInstance> {
  const { serves, has, mayFail } = settings;
  const app = fastify({
    forceCloseConnections: true,
    ...(has('body') ? { ajv: STRICT } : {}),
    ...(has('log') ? await logging() : {}),
  });
  if (has('log')) (await import('./request-log.js')).requestLog(app);
  if (has('token')) (await import('./authenticated.js')).authenticated(app);
  if (has('hooks')) (await import('./hooks.js')).hooks(app);
  if (mayFail) app.setErrorHandler((await import('./problems.js')).problems);
  await app.register(routes[serves], settings);
  return app;
}

/** Its own logger, which would write two lines a request. */
async function logging(): Promise<FastifyServerOptions> {
  const { destination, serializers } = await import('ladder-common/log');
  return {
    logger: { stream: destination, serializers },
    logController: new LogController({ disableRequestLogging: true }),
  };
}
