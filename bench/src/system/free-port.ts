import { randomInt } from 'node:crypto';
import getPort from 'get-port';

/**
 * Below the ports that Linux gives to clients (32768 to 60999): now and then a client would take one of those before
 * the server that it is for listens.
 */
const SERVERS = { from: 10_240, to: 32_768 };
const TRIES = 100;

/** A port that nobody listens on at this address, and that was not returned lately. */
export async function freePort(host: string): Promise<number> {
  const port = Array.from({ length: TRIES }, () => randomInt(SERVERS.from, SERVERS.to));
  return await getPort({ host, port });
}
