import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
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
  expect(parseTcpLine(`0: 0100007F:0BB9 0100007F:D431 ${state} ${TAIL} 1 1 0`).state).toBe('other');
});

test.runIf(CAN_SEE_SOCKETS)('reads every line that this kernel writes', () => {
  const lines = readFileSync('/proc/net/tcp', 'utf8').trimEnd().split('\n').slice(1);
  for (const socket of lines.map(parseTcpLine)) {
    expect(socket.localPort).toBeGreaterThanOrEqual(0);
    expect(socket.remotePort).toBeLessThanOrEqual(65_535);
    expect(socket.inode).toMatch(/^\d+$/);
  }
});

test.runIf(CAN_SEE_SOCKETS)(
  'a listener is foreign to all but the process that holds it',
  async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('no port');
      expect(foreignListeners(address.port, [])).toBe(1);
      expect(foreignListeners(address.port, [process.pid])).toBe(0);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  },
);
