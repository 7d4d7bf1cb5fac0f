/** A folder at a revision, out of a real repository. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { checkOut } from '../../src/launch/check-out.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

const WHO = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost'];

function git({ path }: TemporaryFolder, ...args: string[]): string {
  return execFileSync('git', [...WHO, ...args], { cwd: path, encoding: 'utf8' });
}

const LOCK = { name: 'app', lockfileVersion: 3, packages: { '': { name: 'app' } } };

/** A repository with an app in a folder of it: the first commit answers `one`, then it is changed, and not committed. */
function makeRepository(manifest: object = {}): TemporaryFolder {
  const folder = temporaryFolder();
  folder.write('app/package.json', {
    name: 'app',
    scripts: { start: 'node main.js' },
    ...manifest,
  });
  folder.write('app/package-lock.json', LOCK);
  folder.write('app/main.js', 'one');
  folder.write('shared.js', 'shared');
  git(folder, 'init', '-q');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'one');
  folder.write('app/main.js', 'two');
  return folder;
}

function checkedOut({ path }: TemporaryFolder, revision: string) {
  const asked = { folder: join(path, 'app'), revision, label: `app@${revision}` };
  return checkOut(asked, { signal: new AbortController().signal, say: () => {} });
}

describe('a folder at a revision', () => {
  test('is there as it was, with what lies beside it, and is gone afterwards', async () => {
    using repository = makeRepository();
    const before = git(repository, 'status', '--short');
    const index = readFileSync(join(repository.path, '.git/index'));
    const { folder, ...found } = await checkedOut(repository, 'HEAD');
    expect(readFileSync(join(folder, 'main.js'), 'utf8')).toBe('one');
    expect(readFileSync(join(folder, '../shared.js'), 'utf8')).toBe('shared');
    await found[Symbol.asyncDispose]();
    expect(existsSync(folder)).toBe(false);
    expect(git(repository, 'status', '--short')).toBe(before);
    expect(readFileSync(join(repository.path, '.git/index'))).toEqual(index);
    expect(git(repository, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(readFileSync(join(repository.path, 'app/main.js'), 'utf8')).toBe('two');
  });

  test('is built where its manifest says how', async () => {
    using repository = makeRepository({ scripts: { build: 'node -p 1 > built.txt' } });
    await using found = await checkedOut(repository, 'HEAD');
    expect(existsSync(join(found.folder, 'built.txt'))).toBe(true);
  });

  test.each([
    ['an unknown revision', {}, 'nowhere', 'app@nowhere: git rev-parse failed'],
    ['a build that fails', { scripts: { build: 'echo broken; exit 3' } }, 'HEAD', 'broken'],
    ['a lock file without a dependency', { dependencies: { x: '1' } }, 'HEAD', 'npm ci failed'],
  ])('is refused for %s', async (_what, manifest, revision, says) => {
    using repository = makeRepository(manifest);
    const error = await checkedOut(repository, revision).catch((reason) => reason);
    expect(error).toBeInstanceOf(UserError);
    expect(error.message).toContain(says);
  });
});
