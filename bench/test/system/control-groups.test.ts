import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  type ControlGroup,
  groupForOthers,
  inGroup,
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
    const found = groupForOthers(membership, root);
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
    const error = userError(() => groupForOthers(membership, root));
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
      const error = userError(() => groupForOthers(membership, root));
      // Whoever is not root could not remove what is in it.
      chmodSync(join(root, own), 0o755);
      expect(error).toMatchObject({ next: expect.stringMatching(next) });
    },
  );
});

describe('a group of version 2, on a made-up tree,', () => {
  const group: ControlGroup = { version: 2, folder: join(folder, 'made') };

  test('has its quota and its period in cpu.max, and goes', async () => {
    makeGroup(group, 0.25);
    expect(readFileSync(join(group.folder, 'cpu.max'), 'utf8')).toBe('25000 100000');
    // The kernel's file goes with its folder.
    rmSync(join(group.folder, 'cpu.max'));
    await removeGroup(group);
    await removeGroup(group);
    expect(existsSync(group.folder)).toBe(false);
  });

  test('that is there already is left as it is', () => {
    mkdirSync(group.folder);
    expect(userError(() => makeGroup(group, 1)).message).toContain('EEXIST');
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
    ['not by the end of a longer name', 1, '4:cpu:/x/my-overhead-1\n', false],
    ['not once it is gone', 1, '', false],
  ] as const)('%s', (_, version, membership, is) => {
    expect(isInGroup({ version, folder: '/sys/fs/cgroup/x/overhead-1' }, membership)).toBe(is);
  });
});

test('without a group a command stays what it is', () => {
  expect(inGroup(null, ['node', 'main.js'])).toEqual(['node', 'main.js']);
});
