import fastify from 'fastify';
import { bidRoutes } from './bid.js';

const host = process.env.HOST ?? '127.0.0.1';
const port = Number(process.env.PORT ?? 3013);

const app = fastify({ forceCloseConnections: true });
await app.register(bidRoutes);

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => app.close());
}

try {
  await app.listen({ host, port });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
