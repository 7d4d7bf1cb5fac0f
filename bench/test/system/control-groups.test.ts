import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  hasKilled,
  inGroups,
  makeGroup,
  parentGroup,
  quotaCores,
  removeGroup,
} from '../../src/system/control-groups.ts';
import { parallelism } from '../../src/system/machine.ts';
import { textOf } from '../../src/system/proc-files.ts';
import { userError } from '../support/caught.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const temporary = temporaryFolder();
const { path: folder } = temporary;
afterAll(() => temporary[Symbol.dispose]());

/** A made-up tree of these files in place of the kernel's, where no rights are needed to make groups. */
function treeOf(name: string, files: Record<string, string>): string {
  for (const [path, text] of Object.entries(files)) temporary.write(`${name}/${path}`, text);
  return join(folder, name);
}

describe('groups are made in', () => {
  test.each<[string, string, Record<string, string>, 1 | 2, string]>([
    [
      "the process's own of version 1, where both versions are there",
      '4:cpu,cpuacct:/a\n3:memory:/b\n0::/\n',
      { 'cpu,cpuacct/a/cgroup.procs': '', 'cgroup.subtree_control': 'cpu io\n' },
      ...([1, 'cpu,cpuacct/a'] as const),
    ],
    [
      'the nearest that is mounted here, where a container shows no more',
      '4:cpu:/docker/0123\n',
      { 'cpu/cgroup.procs': '' },
      ...([1, 'cpu'] as const),
    ],
    [
      'the nearest of version 2 that hands the controller down',
      '0::/user/scope\n',
      {
        'user/cgroup.subtree_control': 'memory cpu pids\n',
        'user/scope/cgroup.subtree_control': '\n',
      },
      ...([2, 'user'] as const),
    ],
  ])('%s', (name, membership, files, version, own) => {
    const root = treeOf(name.replaceAll(/\W/g, '-'), files);
    const found = parentGroup(['cpu'], membership, root);
    expect(found.version).toBe(version);
    expect(resolve(found.folder)).toBe(join(root, own));
  });

  test.each([
    ['no group of the controller', '3:memory:/b\n', { 'x/y': '' }],
    [
      'a version 2 that hands only other controllers down',
      '0::/a\n',
      { 'a/cgroup.subtree_control': 'cpuset memory\n' },
    ],
  ])('%s: an error says what to run', (name, membership, files) => {
    const root = treeOf(name.replaceAll(' ', '-'), files);
    expect(userError(() => parentGroup(['cpu'], membership, root))).toMatchObject({
      message: expect.stringMatching(/no control group can limit the CPU/),
      next: expect.stringMatching(/systemd-run/),
    });
  });

  // Root may write anywhere but where nobody may.
  test.skipIf(process.getuid?.() === 0).each([
    ['1', '4:cpu:/a\n', 'cpu/a', /sudo mkdir .*cgroup\.procs/],
    ['2', '0::/a\n', 'a', /systemd-run --user --scope/],
  ])(
    'version %s, where the user may not: an error says what to run',
    (version, membership, own, next) => {
      const root = treeOf(`refused-${version}`, {
        [`${own}/cgroup.procs`]: '',
        [`${own}/cgroup.subtree_control`]: 'cpu\n',
      });
      chmodSync(join(root, own), 0o555);
      const error = userError(() => parentGroup(['cpu'], membership, root));
      // Whoever is not root could not remove what is in it.
      chmodSync(join(root, own), 0o755);
      expect(error).toMatchObject({ next: expect.stringMatching(next) });
    },
  );
});

describe('a group of version 2, on a made-up tree,', () => {
  const group = { version: 2, folder: join(folder, 'made') } as const;
  const inIt = (name: string) => join(group.folder, name);

  test('has its quota and its period in cpu.max, and goes', async () => {
    makeGroup({ ...group, limits: [{ controller: 'cpu', amount: 0.25 }] });
    expect(readFileSync(inIt('cpu.max'), 'utf8')).toBe('25000 100000');
    // The kernel's file goes with its folder.
    rmSync(inIt('cpu.max'));
    await removeGroup(group.folder);
    await removeGroup(group.folder);
    expect(existsSync(group.folder)).toBe(false);
  });

  test('has its memory in memory.max, and says whether the kernel killed in it', () => {
    makeGroup({ ...group, limits: [{ controller: 'memory', amount: 64e6 }] });
    expect(readFileSync(inIt('memory.max'), 'utf8')).toBe('64000000');
    expect(hasKilled(group)).toBe(false);
    for (const count of [0, 2]) {
      temporary.write('made/memory.events', `low 0\noom 1\noom_kill ${count}\n`);
      expect(hasKilled(group)).toBe(count > 0);
    }
    rmSync(group.folder, { recursive: true });
  });

  test('that is there already is left as it is', () => {
    mkdirSync(group.folder);
    const limits = [{ controller: 'cpu' as const, amount: 1 }];
    expect(userError(() => makeGroup({ ...group, limits })).message).toContain('EEXIST');
    expect(existsSync(group.folder)).toBe(true);
    rmSync(group.folder, { recursive: true });
  });
});

test('a command enters one group after the other, and none without a group', () => {
  const groups = ['cpu', 'memory'].map((name) => ({ folder: join(folder, name) }));
  for (const each of groups) mkdirSync(each.folder);
  const [file, ...args] = inGroups(groups, ['sh', '-c', 'echo $$ "$0"', '--']);
  const { stdout } = spawnSync(file, args, { encoding: 'utf8' });
  const [pid, word] = stdout.trim().split(' ');
  expect(word).toBe('--');
  const written = groups.map((each) => readFileSync(join(each.folder, 'cgroup.procs'), 'utf8'));
  expect(written.map((text) => text.trim())).toEqual([pid, pid]);
  expect(inGroups([], ['node', 'main.js'])).toEqual(['node', 'main.js']);
});

const inV2 = (group: string, ...maxima: [folder: string, max: string][]) => {
  const files = maxima.map(([own, max]) => [`/sys/fs/cgroup${own}/cpu.max`, `${max}\n`]);
  return { '/proc/self/cgroup': `0::${group}\n`, ...Object.fromEntries(files) };
};
const inV1 = (mount: string, quota: number) => ({
  '/proc/self/cgroup': `5:memory:/x\n4:${mount}:/a\n0::/\n`,
  [`/sys/fs/cgroup/${mount}/a/cpu.cfs_quota_us`]: `${quota}\n`,
  [`/sys/fs/cgroup/${mount}/a/cpu.cfs_period_us`]: '50000\n',
});

test.each<[string, Record<string, string>, number]>([
  ['is infinite without control groups', {}, Infinity],
  ['is infinite where none has one', inV2('/a', ['/a', 'max 100000']), Infinity],
  [
    'of version 2 is the least of a group and those above it',
    inV2('/a/b', ['/a/b', '400000 100000'], ['/a', '250000 100000']),
    2.5,
  ],
  ['of version 1 is read where cpu is mounted', inV1('cpu', 150_000), 3],
  ['of version 1 is read where cpu,cpuacct is mounted', inV1('cpu,cpuacct', 150_000), 3],
  ['of -1 in version 1 is none', inV1('cpu', -1), Infinity],
])('the quota of control groups %s', (_, files, cores) => {
  expect(quotaCores((path) => files[path] ?? null)).toBe(cores);
});

test('as many processes can run at once as there are cores, or whole ones of the quota, and at least 1', () => {
  const quota = Math.floor(quotaCores(textOf));
  expect(parallelism()).toBe(Math.max(1, Math.min(availableParallelism(), quota)));
});
