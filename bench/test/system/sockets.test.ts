import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import {
  CAN_SEE_SOCKETS,
  foreignListeners,
  parseTcpLine,
  portsOf,
} from '../../src/system/sockets.ts';
import { listening } from '../support/listening.ts';

test.runIf(CAN_SEE_SOCKETS)(
  'reads the sockets of a connection, and finds foreign listeners',
  async () => {
    await using server = createServer();
    const port = await listening(server);
    const accepting = once(server, 'connection');
    await using client = connect(port, '127.0.0.1');
    await Promise.all([accepting, once(client, 'connect')]);
    const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n');
    const ours = lines
      .flatMap((line) => parseTcpLine(line) ?? [])
      .filter(({ localPort, remotePort }) => localPort === port || remotePort === port);
    const own = { isLoopback: true, inode: expect.stringMatching(/^[1-9]\d*$/) };
    const established = { ...own, state: 'established' };
    expect(ours).toHaveLength(3);
    expect(ours).toEqual(
      expect.arrayContaining([
        { ...own, state: 'listening', localPort: port, remotePort: 0 },
        { ...established, localPort: port, remotePort: client.localPort },
        { ...established, localPort: client.localPort, remotePort: port },
      ]),
    );
    expect(new Set(ours.map(({ inode }) => inode)).size).toBe(3);
    expect(foreignListeners(port, [])).toBe(1);
    expect(foreignListeners(port, [process.pid])).toBe(0);
  },
);

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
