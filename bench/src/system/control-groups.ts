/** Control groups that limit CPU time or memory: where they are, how one is made, what it tells, and its end. */
import { accessSync, constants, existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, messageOf, UserError } from '../base/errors.ts';
import { PROGRAM } from '../base/places.ts';
import { textOf } from './gone.ts';
import { signal } from './processes.ts';

/** Where control groups are: of version 1 by controller, of version 2 all together. */
const ROOT = '/sys/fs/cgroup';
/** The kernel's own, and that of Docker and Kubernetes: a quota is given anew so often, µs. */
const PERIOD_US = 100_000;
/** The same, ns. */
export const PERIOD_NS = PERIOD_US * 1000;

/** What a group limits, as the kernel calls it. */
export type Controller = Limit['controller'];

/** What all processes of a group may use together. */
export type Limit = { controller: 'cpu'; cores: number } | { controller: 'memory'; bytes: number };

/** A group of one controller in version 1, of all of them in version 2. */
export interface ControlGroup {
  version: 1 | 2;
  /** Absolute. */
  folder: string;
}

/** A process's groups in one hierarchy of a controller: its own first, then those above it. */
export interface Hierarchy {
  version: 1 | 2;
  folders: string[];
}

/** The hierarchies of a controller that a `/proc/PID/cgroup` names, by where each may be mounted under `root`. */
export function hierarchiesOf(
  controller: Controller,
  membership: string,
  root = ROOT,
): Hierarchy[] {
  const lines = membership.split('\n').filter((line) => line !== '');
  return lines.flatMap((line): Hierarchy[] => {
    const [, controllers = '', ...path] = line.split(':');
    const groups = above(path.join(':'));
    if (controllers === '') {
      return [{ version: 2, folders: groups.map((group) => join(root, group)) }];
    }
    if (!controllers.split(',').includes(controller)) return [];
    return [controller, controllers].map((mount) => {
      return { version: 1, folders: groups.map((group) => join(root, mount, group)) };
    });
  });
}

/** A group and all above it; none for what is outside of what this process can see. */
function above(group: string): string[] {
  if (!group.startsWith('/') || group.split('/').includes('..')) return [];
  return group === '/' ? [group] : [group, ...above(dirname(group))];
}

/**
 * The group in which others with a limit may be made: the process's own, or the nearest above it where
 * that is possible. In version 2 that is one that hands all these controllers down, which no group that
 * has processes itself can. One group holds all the limits there; in version 1 it is of the first controller.
 * @throws UserError where there is none, with what to run.
 */
export function groupForOthers(
  controllers: readonly [Controller, ...Controller[]],
  membership = textOf('/proc/self/cgroup') ?? '',
  root = ROOT,
): ControlGroup {
  const [controller] = controllers;
  const groups = hierarchiesOf(controller, membership, root)
    .toSorted((a, b) => a.version - b.version)
    .flatMap(({ version, folders }) => {
      return folders
        .map((folder): ControlGroup => ({ version, folder }))
        .filter((group) => isOf(controllers, group));
    });
  const found = groups.find(({ folder }) => isWritable(folder));
  if (found !== undefined) return found;
  const [first] = groups;
  if (first === undefined) {
    throw new UserError(
      `no control group can limit the ${LIMITED[controller]} here: neither version 1 nor 2 has that controller for us`,
      `On a Linux with systemd: ${SCOPE}.`,
    );
  }
  throw new UserError(
    `no control group may be made in ${first.folder}`,
    first.version === 2
      ? `Run it as root, or in a scope of your own: ${SCOPE}.`
      : `Run it as root, or from a shell in a group of your own: ${ownGroup(join(first.folder, 'own'))}.`,
  );
}

const LIMITED: Record<Controller, string> = { cpu: 'CPU', memory: 'memory' };

const SCOPE = `\`systemd-run --user --scope -p Delegate=yes -- ${PROGRAM} …\``;

function ownGroup(folder: string): string {
  return `\`sudo mkdir ${folder} && sudo chown -R $USER ${folder} && echo $$ | sudo tee ${folder}/cgroup.procs\``;
}

function isOf(controllers: readonly Controller[], { version, folder }: ControlGroup): boolean {
  if (version === 1) return existsSync(join(folder, 'cgroup.procs'));
  const handedDown = (textOf(join(folder, 'cgroup.subtree_control')) ?? '').trim().split(' ');
  return controllers.every((controller) => handedDown.includes(controller));
}

/** A group, and the limits that it has. */
export interface LimitedGroup {
  group: ControlGroup;
  limits: Limit[];
}

/** The groups of this name to make for these limits. @throws as `groupForOthers`. */
export function groupsFor(limits: readonly Limit[], name: string): LimitedGroup[] {
  const all = limits.map(({ controller }) => controller);
  const groups = new Map<string, LimitedGroup>();
  for (const limit of limits) {
    const { version, folder: parent } = groupForOthers([limit.controller, ...all]);
    const folder = join(parent, name);
    const known = groups.get(folder) ?? { group: { version, folder }, limits: [] };
    known.limits.push(limit);
    groups.set(folder, known);
  }
  return [...groups.values()];
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch (error) {
    if (['EACCES', 'EROFS', 'EPERM'].includes(codeOf(error) ?? '')) return false;
    throw error;
  }
}

/**
 * Makes this group, with these limits.
 * @throws UserError where that can't be; nothing is left then.
 */
export function makeGroup({ version, folder }: ControlGroup, limits: readonly Limit[]): void {
  try {
    mkdirSync(folder);
    for (const limit of limits) {
      for (const [file, text] of settingsOf(limit, version)) {
        writeFileSync(join(folder, file), text);
      }
      if (limit.controller === 'memory') withoutSwap(folder, limit.bytes);
    }
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST' && existsSync(folder)) rmdirSync(folder);
    throw new UserError(
      `can't limit ${folder} to ${limits.map(limitText).join(' and ')}: ${messageOf(cause)}`,
      'See that no group above it has less, and that groups may be made there.',
      { cause },
    );
  }
}

/** What is written into which file of a group. */
function settingsOf(limit: Limit, version: ControlGroup['version']): [string, string][] {
  if (limit.controller === 'memory') {
    return [[version === 2 ? 'memory.max' : 'memory.limit_in_bytes', String(limit.bytes)]];
  }
  const quotaUs = Math.round(limit.cores * PERIOD_US);
  return version === 2
    ? [['cpu.max', `${quotaUs} ${PERIOD_US}`]]
    : [
        ['cpu.cfs_period_us', String(PERIOD_US)],
        ['cpu.cfs_quota_us', String(quotaUs)],
      ];
}

/** No swap, where the kernel counts that of a group: else pages would go there, and the limit would not be reached. */
function withoutSwap(folder: string, bytes: number): void {
  const most = { 'memory.swap.max': 0, 'memory.memsw.limit_in_bytes': bytes };
  for (const [file, value] of Object.entries(most)) {
    if (existsSync(join(folder, file))) writeFileSync(join(folder, file), String(value));
  }
}

function limitText(limit: Limit): string {
  return limit.controller === 'cpu' ? `${limit.cores} cores` : `${limit.bytes} bytes of memory`;
}

/** Whether the kernel has killed a process of this group because the group reached its memory limit. */
export function hasKilled({ version, folder }: ControlGroup): boolean {
  const counts = textOf(join(folder, version === 2 ? 'memory.events' : 'memory.oom_control'));
  return Number(/^oom_kill (\d+)$/m.exec(counts ?? '')?.[1] ?? 0) > 0;
}

/** Goes into the groups of these files up to `--`, and then becomes what follows. */
const ENTER = 'while [ "$1" != -- ]; do echo $$ > "$1" || exit 1; shift; done; shift; exec "$@"';

/** The command that goes into these groups and then becomes `command`; the command itself without any. */
export function inGroups(
  groups: readonly ControlGroup[],
  command: [string, ...string[]],
): [string, ...string[]] {
  if (groups.length === 0) return command;
  return ['sh', '-c', ENTER, 'sh', ...groups.map(procsOf), '--', ...command];
}

/** Whether a process is in this group, by what the kernel says of the process. */
export function isInGroup(
  { group: { version, folder }, limits }: LimitedGroup,
  membership: string,
): boolean {
  // A namespace may show paths from another root on; the name is no other group's.
  const name = `/${basename(folder)}`;
  return membership.split('\n').some((line) => {
    const [, controllers = '', ...path] = line.split(':');
    const own = controllers.split(',');
    const isOf =
      version === 2
        ? controllers === ''
        : limits.every(({ controller }) => own.includes(controller));
    return isOf && path.join(':').endsWith(name);
  });
}

const REMOVE_MS = 5000;
const REMOVE_POLL_MS = 10;

/**
 * Kills whatever is left in a group, and removes it; one that is not there is fine.
 * @throws when it outlives that.
 */
export async function removeGroup(group: ControlGroup): Promise<void> {
  const deadline = performance.now() + REMOVE_MS;
  for (;;) {
    const members = (textOf(procsOf(group)) ?? '').split('\n').filter((line) => line !== '');
    for (const pid of members) signal(Number(pid), 'SIGKILL');
    try {
      rmdirSync(group.folder);
      return;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return;
      // What has just been killed still has to go.
      if (codeOf(error) !== 'EBUSY' || performance.now() > deadline) throw error;
    }
    await sleep(REMOVE_POLL_MS);
  }
}

function procsOf({ folder }: ControlGroup): string {
  return join(folder, 'cgroup.procs');
}
