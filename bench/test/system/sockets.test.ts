import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { CAN_SEE_SOCKETS, foreignListeners, parseTcpLine } from '../../src/system/sockets.ts';

const TAIL = '00000000:00000000 00:00000000 00000000  1000        0';

test('reads ports, state and inode of an established connection', () => {
  const line = `   3: 0100007F:0BB9 0100007F:D431 01 ${TAIL} 48213 1 0000000000000000 20 4 30 10 -1`;
  expect(parseTcpLine(line)).toEqual({
    state: 'established',
    localPort: 3001,
    remotePort: 54_321,
    inode: '48213',
  });
});

test('reads a listening socket', () => {
  const line = `   0: 00000000:0050 00000000:0000 0A ${TAIL} 17 1 0000000000000000 100 0 0 10 0`;
  const socket = parseTcpLine(line);
  expect(socket).toEqual({ state: 'listening', localPort: 80, remotePort: 0, inode: '17' });
});

test('reads IPv6 addresses', () => {
  const address = '0000000000000000FFFF00000100007F';
  const socket = parseTcpLine(`  12: ${address}:1F90 ${address}:FFFF 01 ${TAIL} 99 1 0 20 0`);
  expect(socket).toMatchObject({ localPort: 8080, remotePort: 65_535, inode: '99' });
});

test.each(['02', '06', '08'])('state %s is neither established nor listening', (state) => {
  expect(parseTcpLine(`0: 0100007F:0BB9 0100007F:D431 ${state} ${TAIL} 1 1 0`)?.state).toBe(
    'other',
  );
});

test.runIf(CAN_SEE_SOCKETS)('reads the lines that this kernel writes of a connection', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = addressOf(server.address());
  const accepting = once(server, 'connection');
  const client = connect(port, '127.0.0.1');
  try {
    const [[accepted]] = await Promise.all([accepting, once(client, 'connect')]);
    const lines = readFileSync('/proc/net/tcp', 'utf8').trimEnd().split('\n').slice(1);
    const sockets = lines.map((line) => parseTcpLine(line)).filter((each) => each !== null);
    const ours = sockets.filter(({ localPort, remotePort }) => {
      return localPort === port || remotePort === port;
    });
    const clientPort = client.localPort;
    expect(ours).toHaveLength(3);
    expect(ours.map(({ inode: _inode, ...socket }) => socket)).toEqual(
      expect.arrayContaining([
        { state: 'listening', localPort: port, remotePort: 0 },
        { state: 'established', localPort: port, remotePort: clientPort },
        { state: 'established', localPort: clientPort, remotePort: port },
      ]),
    );
    // Each socket has an inode of its own.
    expect(new Set(ours.map(({ inode }) => inode)).size).toBe(3);
    for (const { inode } of ours) expect(inode).toMatch(/^[1-9]\d*$/);
    accepted.destroy();
  } finally {
    client.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});

test.runIf(CAN_SEE_SOCKETS)(
  'a listener is foreign to all but the process that holds it',
  async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = addressOf(server.address());
      expect(foreignListeners(port, [])).toBe(1);
      expect(foreignListeners(port, [process.pid])).toBe(0);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  },
);

function addressOf(address: string | AddressInfo | null): AddressInfo {
  if (typeof address === 'object' && address !== null) return address;
  throw new Error('the server has no port');
}
