import { randomInt } from 'node:crypto';
import getPort from 'get-port';

/**
 * Below those that Linux gives to clients (32768 to 60999): one of these would be taken now and then, by
 * whoever connects to something, before the server that it is for listens.
 */
const SERVERS = { from: 10_240, to: 32_768 };
const TRIES = 100;

/** A port that nobody listens on at this address, and that nobody has been given lately. */
export async function freePort(host: string): Promise<number> {
  const port = Array.from({ length: TRIES }, () => randomInt(SERVERS.from, SERVERS.to));
  return await getPort({ host, port });
}
