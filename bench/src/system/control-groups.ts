/** Control groups of the CPU: where they are, how one with a quota is made, what it tells, and its end. */
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

/** A group of the CPU controller. */
export interface ControlGroup {
  version: 1 | 2;
  /** Absolute. */
  folder: string;
}

/** A process's groups in one hierarchy that may limit CPU time: its own first, then those above it. */
export interface Hierarchy {
  version: 1 | 2;
  folders: string[];
}

/** The hierarchies that a `/proc/PID/cgroup` names, by where each may be mounted under `root`. */
export function cpuHierarchies(membership: string, root = ROOT): Hierarchy[] {
  const lines = membership.split('\n').filter((line) => line !== '');
  return lines.flatMap((line): Hierarchy[] => {
    const [, controllers = '', ...path] = line.split(':');
    const groups = above(path.join(':'));
    if (controllers === '') {
      return [{ version: 2, folders: groups.map((group) => join(root, group)) }];
    }
    if (!controllers.split(',').includes('cpu')) return [];
    return ['cpu', controllers].map((mount) => {
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
 * The group in which others with a quota may be made: the process's own, or the nearest above it where
 * that is possible. In version 2 that is one that hands the CPU controller down, which no group that
 * has processes itself can.
 * @throws UserError where there is none, with what to run.
 */
export function groupForOthers(
  membership = textOf('/proc/self/cgroup') ?? '',
  root = ROOT,
): ControlGroup {
  const groups = cpuHierarchies(membership, root)
    .toSorted((a, b) => a.version - b.version)
    .flatMap(({ version, folders }) => {
      return folders.map((folder): ControlGroup => ({ version, folder })).filter(limitsCpu);
    });
  const found = groups.find(({ folder }) => isWritable(folder));
  if (found !== undefined) return found;
  const [first] = groups;
  if (first === undefined) {
    throw new UserError(
      'no control group can limit the CPU here: neither version 1 nor 2 has that controller for us',
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

const SCOPE = `\`systemd-run --user --scope -p Delegate=yes -- ${PROGRAM} …\``;

function ownGroup(folder: string): string {
  return `\`sudo mkdir ${folder} && sudo chown -R $USER ${folder} && echo $$ | sudo tee ${folder}/cgroup.procs\``;
}

function limitsCpu({ version, folder }: ControlGroup): boolean {
  if (version === 1) return existsSync(join(folder, 'cgroup.procs'));
  const handedDown = textOf(join(folder, 'cgroup.subtree_control')) ?? '';
  return handedDown.trim().split(' ').includes('cpu');
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
 * Makes this group, with a quota of so many cores.
 * @throws UserError where that can't be; nothing is left then.
 */
export function makeGroup(group: ControlGroup, cores: number): void {
  const { version, folder } = group;
  const quotaUs = Math.round(cores * PERIOD_US);
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  try {
    mkdirSync(folder);
    if (version === 2) {
      write('cpu.max', `${quotaUs} ${PERIOD_US}`);
    } else {
      write('cpu.cfs_period_us', String(PERIOD_US));
      write('cpu.cfs_quota_us', String(quotaUs));
    }
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST' && existsSync(folder)) rmdirSync(folder);
    throw new UserError(
      `can't limit ${folder} to ${cores} cores: ${messageOf(cause)}`,
      'See that no group above it has less, and that groups may be made there.',
      { cause },
    );
  }
}

/** The command that goes into this group and then becomes `command`; the command itself for null. */
export function inGroup(
  group: ControlGroup | null,
  command: [string, ...string[]],
): [string, ...string[]] {
  if (group === null) return command;
  return ['sh', '-c', 'echo $$ > "$0" && exec "$@"', procsOf(group), ...command];
}

/** Whether this process is in this group, by what the kernel says of the process. */
export function isInGroup({ version, folder }: ControlGroup, membership: string): boolean {
  // A namespace may show paths from another root on; the name is no other group's.
  const name = `/${basename(folder)}`;
  return membership.split('\n').some((line) => {
    const [, controllers = '', ...path] = line.split(':');
    const isOf = version === 2 ? controllers === '' : controllers.split(',').includes('cpu');
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
