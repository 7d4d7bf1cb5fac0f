import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from '../../src/system/free-port.ts';
import { listening } from '../support/listening.ts';

const HOST = '127.0.0.1';

test('ports are free, distinct, and below those of clients', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => freePort(HOST)));
  expect(new Set(ports).size).toBe(ports.length);
  expect(Math.max(...ports)).toBeLessThan(32_768);
  await using server = createServer();
  expect(await listening(server, HOST, ports[0])).toBe(ports[0]);
});
