import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from '../../src/system/free-port.ts';
import { CAN_SEE_SOCKETS, foreignListeners, portsOf, serverOf } from '../../src/system/sockets.ts';
import { listening } from '../support/listening.ts';

test.runIf(CAN_SEE_SOCKETS)('who serves a connection is found, and who else listens', async () => {
  await using server = createServer();
  const port = await listening(server);
  const accepting = once(server, 'connection');
  await using client = connect(port, '127.0.0.1');
  await Promise.all([accepting, once(client, 'connect')]);
  const ports = { server: port, client: client.localPort ?? 0 };
  expect(serverOf(ports, [process.ppid, process.pid])).toBe(process.pid);
  expect(serverOf(ports, [process.ppid])).toBeNull();
  expect(serverOf({ ...ports, client: 1 }, [process.pid])).toBeNull();
  expect(portsOf([process.pid])).toContain(port);
  expect(foreignListeners(port, [])).toBe(1);
  expect(foreignListeners(port, [process.pid])).toBe(0);
});

test.runIf(CAN_SEE_SOCKETS).each([
  ['127.0.0.1', false],
  ['::1', false],
  ['0.0.0.0', true],
  ['::', true],
])('a listener on %s is exposed to other machines: %s', async (host, isExposed) => {
  await using server = createServer();
  const port = await listening(server, host);
  expect(portsOf([process.pid], { areExposed: true }).includes(port)).toBe(isExposed);
});

test('ports are free, distinct, and below those of clients', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => freePort('127.0.0.1')));
  expect(new Set(ports).size).toBe(ports.length);
  expect(Math.max(...ports)).toBeLessThan(32_768);
  await using server = createServer();
  expect(await listening(server, '127.0.0.1', ports[0])).toBe(ports[0]);
});
