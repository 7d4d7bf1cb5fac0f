/** Control groups that limit CPU time or memory: finds, makes, reads and removes them. */
import { constants, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { codeOf, messageOf, UserError } from '../base/errors.ts';
import { PROGRAM } from '../base/places.ts';
import { isAccessible } from './on-path.ts';
import type { Command } from './pin.ts';
import { numberAfter, textOf } from './proc-files.ts';
import { signal } from './processes.ts';

/** Contains a folder per controller in version 1, and the groups themselves in version 2. */
const ROOT = '/sys/fs/cgroup';
/** A quota is refilled after this time, µs: the default of the kernel, Docker and Kubernetes. */
const PERIOD_US = 100_000;
export const PERIOD_NS = PERIOD_US * 1000;

export type Controller = 'cpu' | 'memory';

/** What the processes of a group may use together: cores' worth of CPU time, or bytes of memory. */
export interface Limit {
  controller: Controller;
  amount: number;
}

/** A group with limits: for a single controller in version 1, for all of them in version 2. */
export interface ControlGroup {
  version: 1 | 2;
  folder: string;
  limits: Limit[];
}
type PlainGroup = Omit<ControlGroup, 'limits'>;

/** The groups of a controller in a `/proc/PID/cgroup`, each before those above it, at all their possible paths. */
export function groupsIn(cgroup: string, controller: Controller, root = ROOT): PlainGroup[] {
  return cgroup.split('\n').flatMap((line): PlainGroup[] => {
    const [, controllers = '', ...path] = line.split(':');
    const version = controllers === '' ? 2 : 1;
    if (version === 1 && !controllers.split(',').includes(controller)) return [];
    const mounts = version === 1 ? [controller, controllers] : [''];
    const groups = above(path.join(':'));
    return mounts.flatMap((mount) => {
      return groups.map((group) => ({ version, folder: join(root, mount, group) }));
    });
  });
}

/** A group and all above it; none for one that this process can't see. */
function above(group: string): string[] {
  if (!group.startsWith('/') || group.split('/').includes('..')) return [];
  return group === '/' ? [group] : [group, ...above(dirname(group))];
}

/** The cores that the smallest quota of this process's control groups and those above allows; infinite without one. */
export function quotaCores(read: (path: string) => string | null): number {
  const groups = groupsIn(read('/proc/self/cgroup') ?? '', 'cpu');
  const quotas = groups.map(({ version, folder }) => {
    // Version 2 has both numbers in one file. No quota is `max` there, and -1 in version 1.
    const files = version === 2 ? ['cpu.max'] : ['cpu.cfs_quota_us', 'cpu.cfs_period_us'];
    const text = files.map((file) => read(join(folder, file)) ?? '').join(' ');
    const [quota = 0, period = 0] = text.trim().split(/\s+/).map(Number);
    const cores = quota / period;
    return cores > 0 ? cores : Number.POSITIVE_INFINITY;
  });
  return Math.min(...quotas);
}

/**
 * The group in which to make groups with limits: the process's own, or the nearest above it that allows that. In
 * version 2 it must delegate all these controllers, as no group with processes can. In version 1 it is one of the first
 * controller. @throws UserError if there is none, with a command to run.
 */
export function parentGroup(
  controllers: readonly [Controller, ...Controller[]],
  cgroup = textOf('/proc/self/cgroup') ?? '',
  root = ROOT,
): PlainGroup {
  const [controller] = controllers;
  const groups = groupsIn(cgroup, controller, root)
    .toSorted((a, b) => a.version - b.version)
    .filter((group) => hasControllers(controllers, group));
  const { W_OK, X_OK } = constants;
  const found = groups.find(({ folder }) => isAccessible(folder, W_OK | X_OK));
  if (found !== undefined) return found;
  const [first] = groups;
  const scope = `\`systemd-run --user --scope -p Delegate=yes -- ${PROGRAM} …\``;
  if (first === undefined) {
    const what = controller === 'cpu' ? 'CPU' : controller;
    throw new UserError(
      `no control group can limit the ${what} here: neither version 1 nor version 2 offers that controller`,
      `On a Linux with systemd: ${scope}.`,
    );
  }
  const own = join(first.folder, 'own');
  const ownGroup = `\`sudo mkdir ${own} && sudo chown -R $USER ${own} && echo $$ | sudo tee ${own}/cgroup.procs\``;
  const place =
    first.version === 2
      ? `in a scope of your own: ${scope}`
      : `from a shell in a group of your own: ${ownGroup}`;
  throw new UserError(
    `no control group may be made in ${first.folder}`,
    `Run it as root, or ${place}.`,
  );
}

function hasControllers(controllers: readonly Controller[], group: PlainGroup): boolean {
  if (group.version === 1) return existsSync(procsOf(group.folder));
  const listed = textOf(join(group.folder, 'cgroup.subtree_control')) ?? '';
  const handedDown = listed.trim().split(' ');
  return controllers.every((controller) => handedDown.includes(controller));
}

/** The groups to make for these limits, with this name. @throws as `parentGroup`. */
export function planGroups(limits: readonly Limit[], name: string): ControlGroup[] {
  const all = limits.map(({ controller }) => controller);
  const groups = new Map<string, ControlGroup>();
  for (const limit of limits) {
    const parent = parentGroup([limit.controller, ...all]);
    const folder = join(parent.folder, name);
    const group = groups.get(folder) ?? { version: parent.version, folder, limits: [] };
    group.limits.push(limit);
    groups.set(folder, group);
  }
  return [...groups.values()];
}

/** Makes a group with its limits. @throws UserError if that fails; nothing is left then. */
export function makeGroup({ version, folder, limits }: ControlGroup): void {
  try {
    mkdirSync(folder);
    const settings = limits.flatMap((limit) => Object.entries(settingsOf(limit, version)));
    for (const [file, value] of settings) {
      const path = join(folder, file);
      // Not all kernels can limit swap.
      if (!/swap|memsw/.test(file) || existsSync(path)) writeFileSync(path, String(value));
    }
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST' && existsSync(folder)) rmdirSync(folder);
    const texts = limits.map(({ controller, amount }) => {
      return controller === 'cpu' ? `${amount} cores` : `${amount} bytes of memory`;
    });
    throw new UserError(
      `can't limit ${folder} to ${texts.join(' and ')}: ${messageOf(cause)}`,
      'See that no group above it has less, and that groups may be made there.',
      { cause },
    );
  }
}

/** The files that set a limit, with their contents. Without swap, so that memory can't grow past its limit. */
function settingsOf({ controller, amount }: Limit, version: 1 | 2): Record<string, unknown> {
  if (controller === 'memory') {
    return version === 2
      ? { 'memory.max': amount, 'memory.swap.max': 0 }
      : { 'memory.limit_in_bytes': amount, 'memory.memsw.limit_in_bytes': amount };
  }
  const quotaUs = Math.round(amount * PERIOD_US);
  return version === 2
    ? { 'cpu.max': `${quotaUs} ${PERIOD_US}` }
    : { 'cpu.cfs_period_us': PERIOD_US, 'cpu.cfs_quota_us': quotaUs };
}

/** Whether the kernel has killed a process of this group at its memory limit. */
export function hasKilled({ version, folder }: PlainGroup): boolean {
  const counts = textOf(join(folder, version === 2 ? 'memory.events' : 'memory.oom_control'));
  return numberAfter('oom_kill', counts ?? '', 0) > 0;
}

/** Enters the groups of the files before `--`, then runs the command after it. */
const ENTER = 'while [ "$1" != -- ]; do echo $$ > "$1" || exit 1; shift; done; shift; exec "$@"';

/** A command that enters these groups and then becomes `command`. */
export function inGroups(groups: readonly { folder: string }[], command: Command): Command {
  if (groups.length === 0) return command;
  const files = groups.map(({ folder }) => procsOf(folder));
  return ['sh', '-c', ENTER, 'sh', ...files, '--', ...command];
}

/** The processes in the group of this folder; none if it is gone. */
export function membersIn(folder: string): number[] {
  const lines = (textOf(procsOf(folder)) ?? '').split('\n');
  return lines.filter((line) => line !== '').map(Number);
}

const REMOVE_MS = 5000;
const REMOVE_POLL_MS = 10;

/** Kills the processes in the group of this folder and removes it, if it exists. @throws if that fails for 5 s. */
export async function removeGroup(folder: string): Promise<void> {
  const deadline = performance.now() + REMOVE_MS;
  for (;;) {
    for (const pid of membersIn(folder)) signal(pid, 'SIGKILL');
    try {
      rmdirSync(folder);
      return;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return;
      // A killed process takes a moment to end.
      if (codeOf(error) !== 'EBUSY' || performance.now() > deadline) throw error;
    }
    await sleep(REMOVE_POLL_MS);
  }
}

function procsOf(folder: string): string {
  return join(folder, 'cgroup.procs');
}

export const throttlingSchema = z.object({
  /** Periods of the quota so far. */
  periods: z.int().min(0),
  throttledPeriods: z.int().min(0),
  /** How long threads were throttled, ns, summed over cores. */
  throttledNs: z.number().min(0),
});
/** How often and how long a control group was throttled by its CPU quota, since it was made. */
export type Throttling = z.infer<typeof throttlingSchema>;

export function readThrottling(folder: string): Throttling {
  return parseThrottling(readFileSync(join(folder, 'cpu.stat'), 'utf8'));
}

/** Parses a `cpu.stat`, with times in ns in version 1 and µs in version 2. @throws for malformed numbers. */
export function parseThrottling(cpuStat: string): Throttling {
  const counted = (name: string) => numberAfter(name, cpuStat, 0);
  return {
    periods: counted('nr_periods'),
    throttledPeriods: counted('nr_throttled'),
    throttledNs: counted('throttled_time') + counted('throttled_usec') * 1000,
  };
}
