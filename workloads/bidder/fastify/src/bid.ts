import {
  AdStore,
  BidLog,
  type BidRequest,
  BudgetStore,
  clockFrom,
  isBiddable,
  type Means,
  runAuction,
  settingsFrom,
} from 'bidder-domain';
import type { FastifyError, FastifyInstance } from 'fastify';
import { Redis } from 'ioredis';

const text = { type: 'string' } as const;

/** The answer, with its keys in the order in which they are written. */
const ANSWER = { type: 'object', properties: { id: text, url: text } } as const;

/** `POST /bid`. */
export async function bidRoutes(app: FastifyInstance) {
  const redis = new Redis(process.env.REDIS_URL ?? 'redis://127.0.0.1:6379');
  app.addHook('onClose', async () => {
    await redis.quit();
  });
  const settings = settingsFrom(process.env);
  const means: Means = {
    ads: new AdStore(redis, settings),
    budgets: new BudgetStore(redis),
    log: new BidLog(redis, settings),
    clock: clockFrom(process.env),
    settings,
  };
  // The same bytes as Nest's.
  app.setErrorHandler<FastifyError>((error, _request, reply) => {
    if (error.statusCode !== undefined) return reply.send(error);
    console.error(error);
    return reply.code(500).send({ statusCode: 500, message: 'Internal server error' });
  });

  app.post<{ Body: Partial<BidRequest> }>(
    '/bid',
    { schema: settings.answer === 'full' ? {} : { response: { 200: ANSWER } } },
    async ({ body }, reply) => {
      if (!isBiddable(body)) return reply.code(400).send();
      return (await runAuction(body, means)) ?? reply.code(204).send();
    },
  );
}
