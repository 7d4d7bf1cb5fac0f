import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cached } from '../../src/launch/cache.ts';
import { seedHash } from '../../src/launch/seeds.ts';
import { folderOfEach } from '../support/folder-of-each.ts';

const cache = folderOfEach();
const file = (text: string) => async (into: string) => writeFileSync(join(into, 'file'), text);

test('makes a folder once', async () => {
  const deep = join(cache.path, 'c/d');
  expect(await cached(deep, file('one'))).toBe(deep);
  await cached(deep, () => Promise.reject(new Error('made again')));
  expect(readdirSync(deep)).toEqual(['file']);
  expect(readdirSync(join(cache.path, 'c'))).toEqual(['d']);
});

test('leaves nothing of a folder that could not be made, and makes it the next time', async () => {
  const folder = join(cache.path, 'b');
  const failing = async (partial: string) => {
    await file('half')(partial);
    throw new Error('no more');
  };
  await expect(cached(folder, failing)).rejects.toThrow('no more');
  expect(readdirSync(cache.path)).toEqual([]);
  await cached(folder, file('whole'));
  expect(readdirSync(folder)).toEqual(['file']);
});

test('keeps a folder that somebody else made meanwhile, and removes those of dead processes', async () => {
  const parts = ['a.part-4194999', `c.part-${process.ppid}`];
  for (const name of parts) mkdirSync(join(cache.path, name));
  await cached(join(cache.path, 'b'), async (partial) => {
    await file('mine')(partial);
    cache.write('b/theirs', '');
  });
  expect(readdirSync(join(cache.path, 'b'))).toEqual(['theirs']);
  expect(readdirSync(cache.path).sort()).toEqual(['b', parts[1]]);
});

test('says how to correct a cache that can not be written', async () => {
  const notAFolder = cache.write('file', 'text');
  await expect(cached(join(notAFolder, 'b'), file('one'))).rejects.toMatchObject({
    ...{ name: 'UserError', next: expect.stringContaining('XDG_CACHE_HOME') },
    message: expect.stringContaining("can't write b to the cache"),
  });
});

const command: [string, ...string[]] = ['node', 'seed.mjs'];

test('a hash of seeds is the same for the same files, wherever they are', () => {
  const [first, second] = ['one', 'other/place'].map((name) => {
    cache.write(`${name}/rows/b/c`, 'three');
    cache.write(`${name}/rows/a`, 'one');
    const seed = cache.write(`${name}/seed.mjs`, 'text');
    return seedHash([{ command, files: [seed, `${cache.path}/${name}/rows`] }]);
  });
  expect(first).toMatch(/^[\da-f]{16}$/);
  expect(second).toBe(first);
});

test('it depends on commands, names, contents and the order, and is null if files are undeclared', () => {
  cache.write('rows/a', 'one');
  const seed = { command, files: [cache.write('seed.mjs', 'text'), `${cache.path}/rows`] };
  const other = { ...seed, command: ['node', 'seed.mjs', '--more'] satisfies typeof command };
  const hashes = [[seed], [other], [seed, other], [other, seed]].map(seedHash);
  const changes = { 'rows/a': 'two', 'rows/b': 'one', 'seed.mjs': 'texts' };
  for (const [file, text] of Object.entries(changes)) {
    cache.write(file, text);
    hashes.push(seedHash([seed]));
  }
  expect(new Set(hashes).size).toBe(7);
  expect(seedHash([seed, { command, files: null }])).toBeNull();
});
