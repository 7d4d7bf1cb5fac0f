import type { Server } from 'node:net';
import { z } from 'zod';

/** The port that a server listens on at this address, once it does. */
export async function listening(server: Server, host = '127.0.0.1', asked = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(asked, host, resolve));
  return z.object({ port: z.int() }).parse(server.address()).port;
}
