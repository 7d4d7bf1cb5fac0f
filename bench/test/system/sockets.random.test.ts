import fc from 'fast-check';
import { expect } from 'vitest';
import { parseTcpLine } from '../../src/system/sockets.ts';
import { character, counts, garbled, property } from '../support/random.ts';

const port = fc.nat({ max: 65_535 });
const state = fc.constantFrom('01', '0A', '06');
const sockets = fc.record({ number: fc.nat(), local: port, remote: port, state, inode: counts });

const hex = (value: number) => value.toString(16).toUpperCase().padStart(4, '0');
const lineOf = (address: string) => {
  return sockets.map((socket) => {
    const { number, local, remote, state: code, inode } = socket;
    const ends = `${address}:${hex(local)} ${address}:${hex(remote)}`;
    const queues = '00000001:0000000A 01:00000014 00000000  1000        0';
    const line = `${number}: ${ends} ${code} ${queues} ${inode} 1 0000000 20 4 30 10 -1`;
    return { socket, address, line: line.padStart(line.length + (number % 3)) };
  });
};
/** Addresses as the kernel writes them, and whether only this machine can reach them. */
const ADDRESSES: Record<string, boolean> = {
  '0100007F': true,
  '0201A87F': true,
  '0000000000000000FFFF00000100007F': true,
  '00000000000000000000000001000000': true,
  '00000000': false,
  '0101A8C0': false,
  '0000000000000000FFFF00000101A8C0': false,
  '00000000000000000000000000000000': false,
};
const lines = fc.constantFrom(...Object.keys(ADDRESSES)).chain(lineOf);

property('a socket is read as it is written', lines, ({ socket, address, line }) => {
  const states = { '01': 'established', '0A': 'listening', '06': 'other' };
  expect(parseTcpLine(line)).toEqual({
    state: states[socket.state],
    isLoopback: ADDRESSES[address],
    localPort: socket.local,
    remotePort: socket.remote,
    inode: String(socket.inode),
  });
});

const others = fc.oneof(fc.string({ unit: character }), garbled(lines.map(({ line }) => line)));
property('any other line is a socket or none', others, (line) => {
  const socket = parseTcpLine(line);
  if (socket === null) return;
  for (const each of [socket.localPort, socket.remotePort]) {
    expect(each).toBeGreaterThanOrEqual(0);
    expect(each).toBeLessThanOrEqual(65_535);
  }
  expect(socket.inode).toMatch(/^\d+$/);
});
