import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  type ControlGroup,
  groupForOthers,
  hasKilled,
  inGroups,
  isInGroup,
  makeGroup,
  removeGroup,
} from '../../src/system/control-groups.ts';
import { userError } from '../support/caught.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const temporary = temporaryFolder();
const folder = temporary.path;
afterAll(() => temporary[Symbol.dispose]());

/** A made-up tree of these files in place of the kernel's, where no rights are needed to make groups. */
function treeOf(name: string, files: Record<string, string>): string {
  const root = join(folder, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
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
    const found = groupForOthers(['cpu'], membership, root);
    expect(found.version).toBe(version);
    expect(resolve(found.folder)).toBe(join(root, own));
  });

  test.each([
    [
      'no group of the controller',
      '3:memory:/b\n',
      {},
      /no control group can limit/,
      /systemd-run/,
    ],
    [
      'a version 2 that hands only other controllers down',
      '0::/a\n',
      { 'a/cgroup.subtree_control': 'cpuset memory\n' },
      /no control group can limit/,
      /systemd-run/,
    ],
  ])('%s: an error says what to run', (name, membership, files, message, next) => {
    const root = treeOf(name.replaceAll(' ', '-'), { 'x/y': '', ...files });
    const error = userError(() => groupForOthers(['cpu'], membership, root));
    expect(error).toMatchObject({
      message: expect.stringMatching(message),
      next: expect.stringMatching(next),
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
      const error = userError(() => groupForOthers(['cpu'], membership, root));
      // Whoever is not root could not remove what is in it.
      chmodSync(join(root, own), 0o755);
      expect(error).toMatchObject({ next: expect.stringMatching(next) });
    },
  );
});

describe('a group of version 2, on a made-up tree,', () => {
  const group: ControlGroup = { version: 2, folder: join(folder, 'made') };

  test('has its quota and its period in cpu.max, and goes', async () => {
    makeGroup(group, [{ controller: 'cpu', cores: 0.25 }]);
    expect(readFileSync(join(group.folder, 'cpu.max'), 'utf8')).toBe('25000 100000');
    // The kernel's file goes with its folder.
    rmSync(join(group.folder, 'cpu.max'));
    await removeGroup(group);
    await removeGroup(group);
    expect(existsSync(group.folder)).toBe(false);
  });

  test('has its memory in memory.max, and says whether the kernel killed in it', () => {
    makeGroup(group, [{ controller: 'memory', bytes: 64e6 }]);
    const inIt = (name: string) => join(group.folder, name);
    expect(readFileSync(inIt('memory.max'), 'utf8')).toBe('64000000');
    expect(hasKilled(group)).toBe(false);
    for (const [count, has] of [
      [0, false],
      [2, true],
    ] as const) {
      writeFileSync(inIt('memory.events'), `low 0\noom 1\noom_kill ${count}\n`);
      expect(hasKilled(group)).toBe(has);
    }
    rmSync(group.folder, { recursive: true });
  });

  test('that is there already is left as it is', () => {
    mkdirSync(group.folder);
    expect(userError(() => makeGroup(group, [{ controller: 'cpu', cores: 1 }])).message).toContain(
      'EEXIST',
    );
    expect(existsSync(group.folder)).toBe(true);
    rmSync(group.folder, { recursive: true });
  });
});

describe('a process is in a group', () => {
  test.each([
    ['by the line of its version', 2, '4:cpu:/\n0::/x/overhead-1\n', true],
    ['of version 1 by that of the controller', 1, '4:cpuacct,cpu:/x/overhead-1\n0::/\n', true],
    ['from the root of another namespace on', 1, '4:cpu:/../overhead-1\n', true],
    ['not by another controller', 1, '5:memory:/x/overhead-1\n4:cpu:/\n', false],
    ['not by a group of the other version', 1, '4:cpu:/\n0::/x/overhead-1\n', false],
    ['not by the end of a longer name', 1, '4:cpu:/x/my-overhead-1\n', false],
    ['not once it is gone', 1, '', false],
  ] as const)('%s', (_, version, membership, is) => {
    const group: ControlGroup = { version, folder: '/sys/fs/cgroup/x/overhead-1' };
    expect(isInGroup({ group, limits: [{ controller: 'cpu', cores: 1 }] }, membership)).toBe(is);
  });
});

test('a process is in a group of memory by the line of that', () => {
  const group: ControlGroup = { version: 1, folder: '/sys/fs/cgroup/memory/overhead-1' };
  const held = { group, limits: [{ controller: 'memory' as const, bytes: 64e6 }] };
  const membership = (memory: string) => `5:memory:${memory}\n4:cpu:/overhead-1\n0::/overhead-1\n`;
  expect(isInGroup(held, membership('/'))).toBe(false);
  expect(isInGroup(held, membership('/overhead-1'))).toBe(true);
});

test('a command goes into one group after the other', () => {
  const folders = ['cpu', 'memory'].map((name) => {
    mkdirSync(join(folder, name));
    return join(folder, name);
  });
  const groups = folders.map((each): ControlGroup => ({ version: 1, folder: each }));
  const [file, ...args] = inGroups(groups, ['sh', '-c', 'echo $$ "$0"', '--']);
  const { stdout } = spawnSync(file, args, { encoding: 'utf8' });
  const [pid, word] = stdout.trim().split(' ');
  expect(word).toBe('--');
  const written = folders.map((each) => readFileSync(join(each, 'cgroup.procs'), 'utf8').trim());
  expect(written).toEqual([pid, pid]);
});

test('without a group a command stays what it is', () => {
  expect(inGroups([], ['node', 'main.js'])).toEqual(['node', 'main.js']);
});
