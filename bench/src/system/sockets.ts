import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { ifReadable } from './gone.ts';

/** Whether this system tells which process owns a socket. */
export const CAN_SEE_SOCKETS = existsSync('/proc/net/tcp');

interface TcpSocket {
  state: 'established' | 'listening' | 'other';
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
  const own = new Set(pids.flatMap((pid) => [...socketsOf(pid)]));
  const listening = tcpSockets().filter(({ state, inode }) => {
    return state === 'listening' && own.has(inode);
  });
  return [...new Set(listening.map(({ localPort }) => localPort))].toSorted((a, b) => a - b);
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
  /^\s*\d+: [\dA-F]+:([\dA-F]{4}) [\dA-F]+:([\dA-F]{4}) ([\dA-F]{2})(?: +\S+){5} +(\d+)(?: |$)/;

/** A line of /proc/net/tcp; null for its head, and what else is no socket. */
export function parseTcpLine(line: string): TcpSocket | null {
  const [, local = '', remote = '', state = '', inode] = TCP_LINE.exec(line) ?? [];
  if (inode === undefined) return null;
  return {
    state: STATES[state] ?? 'other',
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
