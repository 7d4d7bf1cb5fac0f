import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  hasKilled,
  inGroups,
  type Limit,
  makeGroup,
  parentGroup,
  quotaCores,
  removeGroup,
} from '../../src/system/control-groups.ts';
import { userError } from '../support/caught.ts';
import { folderOfEach } from '../support/folder-of-each.ts';

const folder = folderOfEach();

/** Writes these files, which stand for the kernel's and need no rights; returns their root. */
function treeOf(files: Record<string, string>): string {
  for (const [path, text] of Object.entries(files)) folder.write(path, text);
  return folder.path;
}

describe('groups are made in', () => {
  const ownOf1 = '4:cpu,cpuacct:/a\n3:memory:/b\n0::/\n';
  const both = { 'cpu,cpuacct/a/cgroup.procs': '', 'cgroup.subtree_control': 'cpu io\n' };
  const shown = { 'cpu/cgroup.procs': '' };
  const user = 'user/cgroup.subtree_control';
  const nested = { [user]: 'memory cpu pids\n', 'user/scope/cgroup.subtree_control': '\n' };
  test.each<
    [what: string, membership: string, Record<string, string>, version: 1 | 2, own: string]
  >([
    ['the own of version 1, beside version 2', ownOf1, both, 1, 'cpu,cpuacct/a'],
    ['the nearest that a container shows', '4:cpu:/docker/0123\n', shown, 1, 'cpu'],
    ['the nearest of version 2 that delegates it', '0::/user/scope\n', nested, 2, 'user'],
  ])('%s', (_, membership, files, version, own) => {
    const root = treeOf(files);
    const found = parentGroup(['cpu'], membership, root);
    expect(found.version).toBe(version);
    expect(resolve(found.folder)).toBe(join(root, own));
  });

  const others = { 'a/cgroup.subtree_control': 'cpuset memory\n' };
  test.each<[what: string, membership: string, Record<string, string>]>([
    ['without the controller', '3:memory:/b\n', { 'x/y': '' }],
    ['where version 2 delegates only other controllers', '0::/a\n', others],
  ])('none %s, and an error says what to run', (_, membership, files) => {
    const root = treeOf(files);
    expect(userError(() => parentGroup(['cpu'], membership, root))).toMatchObject({
      message: expect.stringMatching(/no control group can limit the CPU/),
      next: expect.stringMatching(/systemd-run/),
    });
  });

  test.skipIf(process.getuid?.() === 0).each([
    ['1', '4:cpu:/a\n', 'cpu/a', /sudo mkdir .*cgroup\.procs/],
    ['2', '0::/a\n', 'a', /systemd-run --user --scope/],
  ])('none of version %s that is not writable', (_, membership, own, next) => {
    const root = treeOf({
      [`${own}/cgroup.procs`]: '',
      [`${own}/cgroup.subtree_control`]: 'cpu\n',
    });
    chmodSync(join(root, own), 0o555);
    const error = userError(() => parentGroup(['cpu'], membership, root));
    // Otherwise its files could not be removed.
    chmodSync(join(root, own), 0o755);
    expect(error.next).toMatch(next);
  });
});

describe('a group of version 2, in such a tree,', () => {
  const limits: Limit[] = [
    { controller: 'cpu', amount: 0.25 },
    { controller: 'memory', amount: 64e6 },
  ];
  const made = () => ({ version: 2 as const, folder: join(folder.path, 'made'), limits });

  test('has its limits in files, shows whether the kernel killed a process, and can be removed', async () => {
    const group = made();
    makeGroup(group);
    const files = ['cpu.max', 'memory.max'].map((name) => join(group.folder, name));
    const texts = files.map((file) => readFileSync(file, 'utf8'));
    expect(texts).toEqual(['25000 100000', '64000000']);
    expect(hasKilled(group)).toBe(false);
    for (const count of [0, 2]) {
      folder.write('made/memory.events', `low 0\noom 1\noom_kill ${count}\n`);
      expect(hasKilled(group)).toBe(count > 0);
    }
    // The kernel would remove the files with their folder.
    for (const name of readdirSync(group.folder)) rmSync(join(group.folder, name));
    await removeGroup(group.folder);
    await removeGroup(group.folder);
    expect(existsSync(group.folder)).toBe(false);
  });

  test('that exists already is left as it is', () => {
    const group = made();
    mkdirSync(group.folder);
    expect(userError(() => makeGroup(group)).message).toContain('EEXIST');
    expect(existsSync(group.folder)).toBe(true);
  });
});

test('a command enters its groups one after the other', () => {
  const groups = ['cpu', 'memory'].map((name) => ({ folder: join(folder.path, name) }));
  for (const each of groups) mkdirSync(each.folder);
  const [file, ...args] = inGroups(groups, ['sh', '-c', 'echo $$ "$0"', '--']);
  const { stdout } = spawnSync(file, args, { encoding: 'utf8' });
  const [pid, word] = stdout.trim().split(' ');
  expect(word).toBe('--');
  const written = groups.map((each) => readFileSync(join(each.folder, 'cgroup.procs'), 'utf8'));
  expect(written.map((text) => text.trim())).toEqual([pid, pid]);
  expect(inGroups([], ['node', 'main.js'])).toEqual(['node', 'main.js']);
});

const inV1 = (mount: string, quota: number) => ({
  '/proc/self/cgroup': `5:memory:/x\n4:${mount}:/a\n0::/\n`,
  [`/sys/fs/cgroup/${mount}/a/cpu.cfs_quota_us`]: `${quota}\n`,
  [`/sys/fs/cgroup/${mount}/a/cpu.cfs_period_us`]: '50000\n',
});

test.each<[string, Record<string, string>, number]>([
  ['is infinite without control groups', {}, Infinity],
  ['of version 1 is read where cpu is mounted', inV1('cpu', 150_000), 3],
  ['of version 1 is read where cpu,cpuacct is mounted', inV1('cpu,cpuacct', 150_000), 3],
  ['of -1 in version 1 is none', inV1('cpu', -1), Infinity],
])('the quota of control groups %s', (_, files, cores) => {
  expect(quotaCores((path) => files[path] ?? null)).toBe(cores);
});
