import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { textOf, unlessUnreadable } from './proc-files.ts';

/** Whether this system shows which process owns a socket. */
export const CAN_SEE_SOCKETS = existsSync('/proc/net/tcp');

export type Ports = Record<'server' | 'client', number>;

/** The process, of these, that holds the server's end of a connection; null if none does. */
export function serverOf(ports: Ports, pids: readonly number[]): number | null {
  const find = () => {
    return tcpSockets().find(({ state, localPort, remotePort }) => {
      return state === 'established' && localPort === ports.server && remotePort === ports.client;
    });
  };
  // A row may be missing if the table changes while it is read.
  const socket = find() ?? find();
  if (socket === undefined) return null;
  return pids.find((pid) => inodesOf([pid]).has(socket.inode)) ?? null;
}

/** The ports that these processes listen on, ascending; with `areExposed` only those that other machines can reach. */
export function portsOf(pids: readonly number[], { areExposed = false } = {}): number[] {
  const own = inodesOf(pids);
  const sockets = listeners().filter(({ inode, isLoopback }) => {
    return own.has(inode) && !(areExposed && isLoopback);
  });
  return [...new Set(sockets.map(({ localPort }) => localPort))].toSorted((a, b) => a - b);
}

/** How many sockets of other processes listen on this port. */
export function foreignListeners(port: number, pids: readonly number[]): number {
  const own = inodesOf(pids);
  return listeners().filter(({ localPort, inode }) => localPort === port && !own.has(inode)).length;
}

const STATES: Record<string, 'established' | 'listening'> = {
  '01': 'established',
  '0A': 'listening',
};

function tcpSockets() {
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => textOf(path) ?? '');
  return tables.flatMap((table) => table.split('\n')).flatMap((line) => parseTcpLine(line) ?? []);
}

function listeners() {
  return tcpSockets().filter(({ state }) => state === 'listening');
}

/** Number, local address, remote address, state, …, inode (the tenth field). */
const TCP_LINE =
  /^\s*\d+: ([\dA-F]+):([\dA-F]{4}) [\dA-F]+:([\dA-F]{4}) ([\dA-F]{2})(?: +\S+){5} +(\d+)(?: |$)/;

/** 127.0.0.0/8, ::1, and the former as an IPv6 address, in 32-bit words in the byte order of x64 and ARM. */
const LOOPBACK = /^(?:0{16}FFFF0000)?[\dA-F]{6}7F$|^0{24}01000000$/;

/** The socket in a line of /proc/net/tcp; null for the heading and any other text. */
export function parseTcpLine(line: string) {
  const [, address = '', local = '', remote = '', state = '', inode] = TCP_LINE.exec(line) ?? [];
  if (inode === undefined) return null;
  return {
    state: STATES[state] ?? 'other',
    /** Whether only this machine can reach it. */
    isLoopback: LOOPBACK.test(address),
    localPort: Number.parseInt(local, 16),
    remotePort: Number.parseInt(remote, 16),
    inode,
  };
}

function inodesOf(pids: readonly number[]): Set<string> {
  const links = pids.flatMap((pid) => {
    const files = unlessUnreadable(() => readdirSync(`/proc/${pid}/fd`), []);
    return files.map((fd) => unlessUnreadable(() => readlinkSync(`/proc/${pid}/fd/${fd}`), ''));
  });
  return new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
}
