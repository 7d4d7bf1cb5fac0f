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
  'the lines that this kernel writes of a connection are read, and a listener is foreign to all but its process',
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
    const clientPort = client.localPort;
    expect(ours).toHaveLength(3);
    expect(ours.map(({ inode: _inode, isLoopback: _isLoopback, ...socket }) => socket)).toEqual(
      expect.arrayContaining([
        { state: 'listening', localPort: port, remotePort: 0 },
        { state: 'established', localPort: port, remotePort: clientPort },
        { state: 'established', localPort: clientPort, remotePort: port },
      ]),
    );
    // Each socket has an inode of its own.
    expect(new Set(ours.map(({ inode }) => inode)).size).toBe(3);
    for (const { inode } of ours) expect(inode).toMatch(/^[1-9]\d*$/);
    expect(foreignListeners(port, [])).toBe(1);
    expect(foreignListeners(port, [process.pid])).toBe(0);
  },
);

test.runIf(CAN_SEE_SOCKETS).each([
  ['127.0.0.1', false],
  ['::1', false],
  ['0.0.0.0', true],
  ['::', true],
])('what listens on %s can be reached by other machines: %s', async (host, isExposed) => {
  await using server = createServer();
  const port = await listening(server, host);
  expect(portsOf([process.pid], { areExposed: true }).includes(port)).toBe(isExposed);
});
