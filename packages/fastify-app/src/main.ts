import fastify from 'fastify';

const host = process.env.HOST ?? '127.0.0.1';
const port = Number(process.env.PORT ?? 3002);

const app = fastify({ forceCloseConnections: true });

app.get('/', () => 'Hello World!');

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => app.close());
}

try {
  await app.listen({ host, port });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
