import { sum } from 'simple-statistics';
import { UserError } from '../base/errors.ts';
import type { Machine } from '../system/machine.ts';
import type { Target } from '../targets/targets.ts';
import { isCount, isPlain, type ServerRef, type Topology } from './topology.ts';

/**
 * What a server process may need at the most: a hello-world Node process with 1,000 connections took
 * 75 to 190 MB here.
 */
export const BYTES_PER_PROCESS = 200e6;
/** The generator, the harness, its guardian, and a pm2 daemon for each size of cluster. */
export const BYTES_BESIDE = 700e6;
/** The share of the available memory that a run may plan for. */
export const MEMORY_SHARE = 0.75;
/** File descriptors a server or generator needs beside its connections. */
export const FILES_BESIDE = 64;

/**
 * Groups whose servers fit into memory at once. Cells of one topology stay together as long as they
 * fit, since they are what is compared.
 */
export function aliveTogether<Ref extends ServerRef>(
  cells: Ref[],
  topologies: Topology[],
  availableBytes: number,
): Ref[][] {
  const budget = availableBytes * MEMORY_SHARE;
  const groups: Ref[][] = [];
  let group: Ref[] = [];
  for (const topology of topologies) {
    const wanted = cells.filter((cell) => cell.topology === topology.id);
    for (const [place, cell] of wanted.entries()) {
      const more = place === 0 ? wanted : [cell];
      if (group.length > 0 && memoryOf([...group, ...more], topologies) > budget) {
        groups.push(group);
        group = [];
      }
      group.push(cell);
    }
  }
  return [...groups, group];
}

/**
 * The cells of a group, parted where servers insist on the same port: those can't be alive together, so
 * each further one is in a group of its own. Cells of one server stay together.
 */
export function apart<Ref extends ServerRef>(group: Ref[], targets: readonly Target[]): Ref[][] {
  const portOf = ({ target }: Ref) =>
    targets.find(({ name }) => name === target)?.fixedPort ?? null;
  const parts: Ref[][] = [];
  for (const cell of group) {
    const port = portOf(cell);
    const isBeside = (other: Ref) => other.server === cell.server || portOf(other) !== port;
    const part = parts.find((others) => port === null || others.every(isBeside));
    if (part === undefined) parts.push([cell]);
    else part.push(cell);
  }
  return parts;
}

/** What these cells' servers and everything beside them may need at once, bytes. */
export function memoryOf(cells: ServerRef[], topologies: Topology[]): number {
  const servers = new Map(cells.map(({ server, topology }) => [server, topology]));
  const processes = [...servers.values()].map((topology) => {
    return topologies.find(({ id }) => id === topology)?.processes ?? 0;
  });
  return BYTES_BESIDE + sum(processes) * BYTES_PER_PROCESS;
}

/** @throws UserError when the memory that may be planned for can't hold one of these groups. */
export function requireMemory(
  groups: ServerRef[][],
  topologies: Topology[],
  machine: Machine,
): void {
  const needed = Math.max(...groups.map((group) => memoryOf(group, topologies)));
  if (needed <= machine.memoryAvailableBytes * MEMORY_SHARE) return;
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
  throw new UserError(
    `not enough memory: the largest server may need ${gigabytes(needed)}, and of the ` +
      `${gigabytes(machine.memoryAvailableBytes)} available ${MEMORY_SHARE * 100} % may be planned for`,
    'Free some memory, or ask for fewer processes with --topology.',
  );
}

/** @throws UserError when a process may not open enough files for so many connections. */
export function requireFiles(connections: number, machine: Machine): void {
  const needed = connections + FILES_BESIDE;
  if (machine.fileLimit === null || machine.fileLimit >= needed) return;
  throw new UserError(
    `${connections} connections need ${needed} file descriptors a process, and ${machine.fileLimit} are allowed`,
    `Raise the hard limit (\`ulimit -Hn ${needed}\` as root, or LimitNOFILE, or limits.conf), or lower -c.`,
  );
}

/** @throws UserError when so many connections to one server can't have a local port each. */
export function requirePorts(connections: number, { localPorts }: Machine): void {
  if (localPorts === null || localPorts >= connections) return;
  throw new UserError(
    `${connections} connections to a server need a local port each, and this machine has ${localPorts}`,
    'Widen net.ipv4.ip_local_port_range (`sysctl`), or lower -c.',
  );
}

/** Whether a target can run in a topology: process managers keep only Node. */
export function canRun(
  { start, runtime, scale }: Pick<Target, 'start' | 'runtime' | 'scale'>,
  topology: Topology,
): boolean {
  if (scale.by !== 'processes') return isCount(topology);
  if (isPlain(topology)) return true;
  return start[0] === 'node' && (runtime === null || runtime.kind === 'node');
}

/**
 * @throws UserError when a target is to run under a process manager that can't keep it: managers run node
 * alone, and what scales by itself has a number of cores, but no manager. It is left out of a topology that has
 * one, where others have none.
 */
export function requireNode(targets: readonly Target[], topologies: readonly Topology[]): void {
  const clustered = !topologies.some(isPlain);
  const managed = topologies.some(isCount) ? undefined : topologies[0];
  for (const { name, start, scale } of targets) {
    if (scale.by === 'processes' && clustered && start[0] !== 'node') {
      throw new UserError(
        `${name} starts with "${start[0]}": process managers can only run node`,
        'Measure it with --topology single; say in its bench block how it scales, if it does ("scale").',
      );
    }
    if (scale.by !== 'processes' && managed !== undefined) {
      throw new UserError(
        `${name} scales by ${scale.by}, without a process manager: it can't run as "${managed.id}"`,
        'Measure it with --topology single, 2, … or max.',
      );
    }
  }
}
