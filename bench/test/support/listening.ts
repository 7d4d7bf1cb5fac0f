import type { Server } from 'node:net';
import { z } from 'zod';

/** Starts to listen at this address, and returns the port. */
export async function listening(server: Server, host = '127.0.0.1', asked = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(asked, host, resolve));
  return z.object({ port: z.int() }).parse(server.address()).port;
}
