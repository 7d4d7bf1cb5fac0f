import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { ifReadable } from './gone.ts';

/** Whether this system tells which process owns a socket. */
export const CAN_SEE_SOCKETS = existsSync('/proc/net/tcp');

interface TcpSocket {
  state: 'established' | 'listening' | 'other';
  /** Whether only this machine can reach it. */
  isLoopback: boolean;
  localPort: number;
  remotePort: number;
  inode: string;
}

/** Which of these processes holds the server's end of the connection between these two ports. */
export function serverOf(
  ports: { server: number; client: number },
  pids: readonly number[],
): number | null {
  const find = () => {
    return tcpSockets().find(({ state, localPort, remotePort }) => {
      return state === 'established' && localPort === ports.server && remotePort === ports.client;
    });
  };
  // A table that changes while it is read may lack a row.
  const socket = find() ?? find();
  if (socket === undefined) return null;
  return pids.find((pid) => socketsOf(pid).has(socket.inode)) ?? null;
}

/** The ports that these processes listen on, the lowest first. */
export function portsOf(pids: readonly number[]): number[] {
  return portsAmong(listenersOf(pids));
}

/** Those of them that other machines may reach too: they listen at another address than the loopback ones. */
export function exposedPortsOf(pids: readonly number[]): number[] {
  return portsAmong(listenersOf(pids).filter(({ isLoopback }) => !isLoopback));
}

function listenersOf(pids: readonly number[]): TcpSocket[] {
  const own = new Set(pids.flatMap((pid) => [...socketsOf(pid)]));
  return tcpSockets().filter(({ state, inode }) => state === 'listening' && own.has(inode));
}

function portsAmong(sockets: readonly TcpSocket[]): number[] {
  return [...new Set(sockets.map(({ localPort }) => localPort))].toSorted((a, b) => a - b);
}

/** How many sockets listen on this port that none of these processes holds. */
export function foreignListeners(port: number, pids: readonly number[]): number {
  const own = new Set(pids.flatMap((pid) => [...socketsOf(pid)]));
  return tcpSockets().filter(({ state, localPort, inode }) => {
    return state === 'listening' && localPort === port && !own.has(inode);
  }).length;
}

const STATES: Record<string, TcpSocket['state']> = { '01': 'established', '0A': 'listening' };

function tcpSockets(): TcpSocket[] {
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((path) => {
    if (!existsSync(path)) return [];
    return readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line) => parseTcpLine(line) ?? []);
  });
}

/** Number, local address, remote address, state, …, inode (tenth). */
const TCP_LINE =
  /^\s*\d+: ([\dA-F]+):([\dA-F]{4}) [\dA-F]+:([\dA-F]{4}) ([\dA-F]{2})(?: +\S+){5} +(\d+)(?: |$)/;

/** 127.0.0.0/8, ::1, and the former as an IPv6 address; words of 32 bits in the byte order of x64 and ARM. */
const LOOPBACK = /^(?:0{16}FFFF0000)?[\dA-F]{6}7F$|^0{24}01000000$/;

/** A line of /proc/net/tcp; null for its head, and what else is no socket. */
export function parseTcpLine(line: string): TcpSocket | null {
  const [, address = '', local = '', remote = '', state = '', inode] = TCP_LINE.exec(line) ?? [];
  if (inode === undefined) return null;
  return {
    state: STATES[state] ?? 'other',
    isLoopback: LOOPBACK.test(address),
    localPort: Number.parseInt(local, 16),
    remotePort: Number.parseInt(remote, 16),
    inode,
  };
}

function socketsOf(pid: number): Set<string> {
  const inodes = new Set<string>();
  const files = ifReadable(() => readdirSync(`/proc/${pid}/fd`), []);
  for (const fd of files) {
    const link = ifReadable(() => readlinkSync(`/proc/${pid}/fd/${fd}`), '');
    const inode = /^socket:\[(\d+)\]$/.exec(link)?.[1];
    if (inode !== undefined) inodes.add(inode);
  }
  return inodes;
}
