import type { Server } from 'node:net';

/** Listens where the launcher says, and ends when it says so. */
export function listen(server: Server): void {
  server.once('error', (error) => {
    console.error(error.message);
    process.exit(1);
  });
  server.listen(Number(process.env.PORT), process.env.HOST ?? '127.0.0.1');
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit());
}
