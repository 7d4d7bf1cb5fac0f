/** Checks a folder of a real repository out at a revision. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkOut } from '../../src/launch/check-out.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

const WHO = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost'];
/** The app depends on the package beside it. */
const DEPENDENCIES = { shared: 'file:../shared' };
const LOCK = {
  ...{ name: 'app', lockfileVersion: 3, requires: true },
  packages: {
    '': { name: 'app', dependencies: DEPENDENCIES },
    '../shared': {},
    'node_modules/shared': { resolved: '../shared', link: true },
  },
};

function git({ path }: TemporaryFolder, ...args: string[]): string {
  return execFileSync('git', [...WHO, ...args], { cwd: path, encoding: 'utf8' });
}

/** A repository whose folder `app` has `one` in its only commit, and `two` in the working tree, and no right lock file. */
function makeRepository(manifest: object = {}): TemporaryFolder {
  const folder = temporaryFolder();
  const scripts = { start: 'node main.js' };
  const app = { name: 'app', scripts, dependencies: DEPENDENCIES, ...manifest };
  folder.write('app/package.json', app);
  folder.write('app/package-lock.json', LOCK);
  folder.write('app/main.js', 'one');
  folder.write('shared/package.json', { name: 'shared' });
  folder.write('shared/index.js', 'shared');
  for (const words of ['init -q', 'add .', 'commit -qm one']) git(folder, ...words.split(' '));
  folder.write('app/main.js', 'two');
  folder.write('app/package-lock.json', 'two');
  return folder;
}

function checkedOut({ path }: TemporaryFolder, revision: string) {
  const asked = { folder: join(path, 'app'), revision, label: `app@${revision}` };
  return checkOut(asked, { signal: new AbortController().signal, say: () => {} });
}

test('a folder is checked out with all of its repository, installed by its lock file there, and built', async () => {
  using repository = makeRepository({ scripts: { build: 'node -p 1 > built.txt' } });
  const stateOf = () => [
    ...[git(repository, 'status', '--short'), git(repository, 'worktree', 'list')],
    ...['.git/index', 'app/main.js'].map((name) => readFileSync(join(repository.path, name))),
  ];
  const before = stateOf();
  const { folder, ...found } = await checkedOut(repository, 'HEAD');
  const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');
  const files = ['main.js', 'node_modules/shared/index.js', 'built.txt'];
  expect(files.map(textOf)).toEqual(['one', 'shared', '1\n']);
  await found[Symbol.asyncDispose]();
  expect(existsSync(folder)).toBe(false);
  // The repository stays as it is.
  expect(stateOf()).toEqual(before);
});

test.each([
  ['an unknown revision', {}, 'nowhere', 'app@nowhere: git rev-parse failed'],
  ['a lock file without a dependency', { dependencies: { x: '1' } }, 'HEAD', 'npm ci failed'],
])('%s is refused', async (_what, manifest, revision, says) => {
  using repository = makeRepository(manifest);
  const refusal = { name: 'UserError', message: expect.stringContaining(says) };
  await expect(checkedOut(repository, revision)).rejects.toMatchObject(refusal);
});
