import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from '../../src/system/free-port.ts';

const HOST = '127.0.0.1';

test('ports are free, none is given twice, and clients are given none of them', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => freePort(HOST)));
  expect(new Set(ports).size).toBe(ports.length);
  expect(Math.max(...ports)).toBeLessThan(32_768);
  const [port] = ports;
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, HOST, resolve));
  await new Promise((resolve) => server.close(resolve));
});
