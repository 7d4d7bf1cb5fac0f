import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  CAN_SEE_SOCKETS,
  exposedPortsOf,
  foreignListeners,
  parseTcpLine,
} from '../../src/system/sockets.ts';

const HOST = '127.0.0.1';

test.runIf(CAN_SEE_SOCKETS)(
  'the lines that this kernel writes of a connection are read, and a listener is foreign to all but its process',
  async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
    const { port } = z.object({ port: z.int() }).parse(server.address());
    const accepting = once(server, 'connection');
    const client = connect(port, HOST);
    try {
      const [[accepted]] = await Promise.all([accepting, once(client, 'connect')]);
      const lines = readFileSync('/proc/net/tcp', 'utf8').trimEnd().split('\n').slice(1);
      const sockets = lines.map((line) => parseTcpLine(line)).filter((each) => each !== null);
      const ours = sockets.filter(({ localPort, remotePort }) => {
        return localPort === port || remotePort === port;
      });
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
      accepted.destroy();
    } finally {
      client.destroy();
      await new Promise((resolve) => server.close(resolve));
    }
  },
);

test.runIf(CAN_SEE_SOCKETS).each([
  ['127.0.0.1', false],
  ['::1', false],
  ['0.0.0.0', true],
  ['::', true],
])('what listens on %s can be reached by other machines: %s', async (host, isExposed) => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = z.object({ port: z.int() }).parse(server.address());
  try {
    expect(exposedPortsOf([process.pid]).includes(port)).toBe(isExposed);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});
