import { afterEach, beforeEach, expect, test } from 'vitest';
import { seedHash } from '../../src/launch/seeds.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

const command: [string, ...string[]] = ['node', 'seed.mjs'];
let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder[Symbol.dispose]());

test('is the same for the same files, wherever they are', () => {
  const [first, second] = ['one', 'other/place'].map((name) => {
    folder.write(`${name}/rows/b/c`, 'three');
    folder.write(`${name}/rows/a`, 'one');
    const seed = folder.write(`${name}/seed.mjs`, 'text');
    return seedHash([{ command, files: [seed, `${folder.path}/${name}/rows`] }]);
  });
  expect(first).toMatch(/^[\da-f]{16}$/);
  expect(second).toBe(first);
});

test('is another where a command, a name, a text or the order of seeds is another', () => {
  const seed = { command, files: [folder.write('seed.mjs', 'text'), `${folder.path}/rows`] };
  const other = { ...seed, command: ['node', 'seed.mjs', '--more'] satisfies typeof command };
  folder.write('rows/a', 'one');
  const hashes = [[seed], [other], [seed, other], [other, seed]].map(seedHash);
  for (const [file, text] of [
    ['rows/a', 'two'],
    ['rows/b', 'one'],
    ['seed.mjs', 'texts'],
  ] as const) {
    folder.write(file, text);
    hashes.push(seedHash([seed]));
  }
  expect(new Set(hashes).size).toBe(7);
});

test('is unknown where one of the seeds does not say', () => {
  const files = [folder.write('seed.mjs', 'text')];
  expect(
    seedHash([
      { command, files },
      { command, files: null },
    ]),
  ).toBeNull();
});
