import { randomInt } from 'node:crypto';
import getPort from 'get-port';

/** Below Linux's ports for clients (32768 to 60999), one of which might take the port before the server listens. */
const SERVERS = { from: 10_240, to: 32_768 };
const TRIES = 100;

/** A port of this address that is free and was not returned recently. */
export async function freePort(host: string): Promise<number> {
  const port = Array.from({ length: TRIES }, () => randomInt(SERVERS.from, SERVERS.to));
  return await getPort({ host, port });
}
