import {
  AdStore,
  type BidRequest,
  BudgetStore,
  clockFrom,
  isBiddable,
  runAuction,
  settingsFrom,
} from 'bidder-domain';
import type { FastifyInstance } from 'fastify';
import { Redis } from 'ioredis';

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;

/** The answer, with its keys in the order in which they are written. */
const ANSWER = {
  type: 'object',
  properties: {
    id: text,
    bidid: text,
    cur: text,
    seatbid: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          seat: text,
          bid: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                id: text,
                impid: text,
                price: { type: 'number' },
                adid: text,
                adomain: texts,
                cid: text,
                crid: text,
                cat: texts,
                adm: text,
              },
            },
          },
        },
      },
    },
  },
} as const;

/** `POST /bid`. */
export async function bidRoutes(app: FastifyInstance) {
  const redis = new Redis(process.env.REDIS_URL ?? 'redis://127.0.0.1:6379');
  app.addHook('onClose', async () => {
    await redis.quit();
  });
  const settings = settingsFrom(process.env);
  const ads = new AdStore(redis, settings);
  const budgets = new BudgetStore(redis, settings);
  const clock = clockFrom(process.env);

  app.post<{ Body: Partial<BidRequest> }>(
    '/bid',
    { schema: { response: { 200: ANSWER } } },
    async ({ body }, reply) => {
      if (!isBiddable(body)) return reply.code(400).send();
      const bid = await runAuction(body, ads, budgets, clock);
      return bid === null ? reply.code(204).send() : bid;
    },
  );
}
