import { sum } from 'simple-statistics';
import { UserError } from '../base/errors.ts';
import type { Machine } from '../system/machine.ts';
import { startsScript, type Target } from '../targets/targets.ts';
import { isPlain, isProcessCount, type ServerRef, type Topology } from './topology.ts';

/** The most memory that a server process may need: a hello-world Node process with 1,000 connections took 75 to 190 MB. */
export const BYTES_PER_PROCESS = 200e6;
/** The generator, the harness, its guardian, and a pm2 daemon for each size of cluster. */
export const BYTES_BESIDE = 700e6;
/** The share of the available memory that a run may plan for. */
export const MEMORY_SHARE = 0.75;
/** File descriptors that a server or generator needs beside its connections. */
const FILES_BESIDE = 64;

/** Groups whose servers fit into memory at once. Cells of a topology are compared, and stay together if they fit. */
export function groupByMemory<Ref extends ServerRef>(
  cells: Ref[],
  topologies: Topology[],
  availableBytes: number,
): Ref[][] {
  const budget = availableBytes * MEMORY_SHARE;
  const groups: Ref[][] = [[]];
  for (const topology of topologies) {
    const wanted = cells.filter((cell) => cell.topology === topology.id);
    for (const [place, cell] of wanted.entries()) {
      const group = groups.at(-1) ?? [];
      const more = place === 0 ? wanted : [cell];
      const isFull = group.length > 0 && memoryOf([...group, ...more], topologies) > budget;
      if (isFull) groups.push([cell]);
      else group.push(cell);
    }
  }
  return groups;
}

/** A group, split where servers have the same fixed port and so exclude each other. Cells of a server stay together. */
export function separateFixedPorts<Ref extends ServerRef>(group: Ref[], targets: Target[]) {
  const ports = new Map(targets.map(({ name, fixedPort }) => [name, fixedPort]));
  const parts: Ref[][] = [];
  for (const cell of group) {
    const port = ports.get(cell.target) ?? null;
    const isCompatible = (other: Ref) => {
      return other.server === cell.server || ports.get(other.target) !== port;
    };
    const part = parts.find((others) => port === null || others.every(isCompatible));
    if (part === undefined) parts.push([cell]);
    else part.push(cell);
  }
  return parts;
}

/** The memory that these cells' servers, and everything beside them, may need at once, bytes. */
export function memoryOf(cells: ServerRef[], topologies: Topology[]): number {
  const servers = new Map(cells.map(({ server, topology }) => [server, topology]));
  const processes = [...servers.values()].map((topology) => {
    return topologies.find(({ id }) => id === topology)?.processes ?? 0;
  });
  return BYTES_BESIDE + sum(processes) * BYTES_PER_PROCESS;
}

/** @throws UserError when one of these groups needs more memory than may be planned for. */
export function requireMemory(groups: ServerRef[][], topologies: Topology[], machine: Machine) {
  const { memoryAvailableBytes: available } = machine;
  const needed = Math.max(...groups.map((group) => memoryOf(group, topologies)));
  if (needed <= available * MEMORY_SHARE) return;
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
  throw new UserError(
    `not enough memory: the largest server may need ${gigabytes(needed)}, and of the ` +
      `${gigabytes(available)} available ${MEMORY_SHARE * 100} % may be planned for`,
    'Free some memory, or ask for fewer processes with --topology.',
  );
}

/** @throws UserError when a process can't open enough files for so many connections. */
export function requireFiles(connections: number, { fileLimit }: Machine): void {
  const needed = connections + FILES_BESIDE;
  if (fileLimit === null || fileLimit >= needed) return;
  throw new UserError(
    `${connections} connections need ${needed} file descriptors a process, and ${fileLimit} are allowed`,
    `Raise the hard limit (\`ulimit -Hn ${needed}\` as root, or LimitNOFILE, or limits.conf), or lower -c.`,
  );
}

/** @throws UserError when there are not enough local ports for so many connections to one server. */
export function requirePorts(connections: number, { localPorts }: Machine): void {
  if (localPorts === null || localPorts >= connections) return;
  throw new UserError(
    `${connections} connections to a server need a local port each, and this machine has ${localPorts}`,
    'Widen net.ipv4.ip_local_port_range (`sysctl`), or lower -c.',
  );
}

/** Whether a target can run in a topology: process managers run only Node, and none that scales by itself. */
export function canRun(target: Target, topology: Topology): boolean {
  const { runtime, scale } = target;
  if (scale.by !== 'processes') return isProcessCount(topology);
  if (isPlain(topology)) return true;
  return startsScript(target) && (runtime === null || runtime.kind === 'node');
}

/** @throws UserError for a target that can run in none of the topologies; otherwise it is left out of some. */
export function requireNode(targets: readonly Target[], topologies: readonly Topology[]): void {
  const managed = topologies.some(isProcessCount) ? undefined : topologies[0];
  for (const target of targets) {
    const { name, start, scale } = target;
    if (scale.by !== 'processes' && managed !== undefined) {
      throw new UserError(
        `${name} scales by ${scale.by}, without a process manager: it can't run as "${managed.id}"`,
        'Measure it with --topology single, 2, … or max.',
      );
    }
    if (scale.by === 'processes' && !startsScript(target) && !topologies.some(isPlain)) {
      const first = start.slice(0, start[0] === 'node' ? 2 : 1).join(' ');
      throw new UserError(
        `${name} starts with "${first}": process managers can only run node`,
        'Measure it with --topology single; say in its bench block how it scales, if it does ("scale").',
      );
    }
  }
}
