import { expect, test } from 'vitest';
import { seedHash } from '../../src/launch/seeds.ts';
import { folderOfEach } from '../support/folder-of-each.ts';

const folder = folderOfEach();
const command: [string, ...string[]] = ['node', 'seed.mjs'];

test('a hash of seeds is the same for the same files, wherever they are', () => {
  const [first, second] = ['one', 'other/place'].map((name) => {
    folder.write(`${name}/rows/b/c`, 'three');
    folder.write(`${name}/rows/a`, 'one');
    const seed = folder.write(`${name}/seed.mjs`, 'text');
    return seedHash([{ command, files: [seed, `${folder.path}/${name}/rows`] }]);
  });
  expect(first).toMatch(/^[\da-f]{16}$/);
  expect(second).toBe(first);
});

test('it depends on commands, names, contents and the order, and is null if files are undeclared', () => {
  folder.write('rows/a', 'one');
  const seed = { command, files: [folder.write('seed.mjs', 'text'), `${folder.path}/rows`] };
  const other = { ...seed, command: ['node', 'seed.mjs', '--more'] satisfies typeof command };
  const hashes = [[seed], [other], [seed, other], [other, seed]].map(seedHash);
  for (const [file = '', text] of [
    ['rows/a', 'two'],
    ['rows/b', 'one'],
    ['seed.mjs', 'texts'],
  ]) {
    folder.write(file, text);
    hashes.push(seedHash([seed]));
  }
  expect(new Set(hashes).size).toBe(7);
  expect(seedHash([seed, { command, files: null }])).toBeNull();
});
