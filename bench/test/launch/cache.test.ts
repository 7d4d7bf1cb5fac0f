import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { cached } from '../../src/launch/cache.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

let temporary: TemporaryFolder;
let folder: string;
beforeEach(() => {
  temporary = temporaryFolder();
  folder = join(temporary.path, 'b');
});
afterEach(() => temporary[Symbol.dispose]());

const file = (text: string) => async (into: string) => writeFileSync(join(into, 'file'), text);

test('a folder is made once', async () => {
  const deep = join(folder, 'c/d');
  expect(await cached(deep, file('one'))).toBe(deep);
  await cached(deep, () => Promise.reject(new Error('made again')));
  expect(readdirSync(deep)).toEqual(['file']);
  expect(readdirSync(join(folder, 'c'))).toEqual(['d']);
});

test('nothing is left of one that could not be made, and it is made the next time', async () => {
  const failing = async (partial: string) => {
    await file('half')(partial);
    throw new Error('no more');
  };
  await expect(cached(folder, failing)).rejects.toThrow('no more');
  expect(readdirSync(temporary.path)).toEqual([]);
  await cached(folder, file('whole'));
  expect(readdirSync(folder)).toEqual(['file']);
});

test('one that somebody else has made meanwhile is taken as it is', async () => {
  await cached(folder, async (partial) => {
    await file('mine')(partial);
    temporary.write('b/theirs', '');
  });
  expect(readdirSync(folder)).toEqual(['theirs']);
  expect(readdirSync(temporary.path)).toEqual(['b']);
});

test('what a process that is gone had begun is removed, what one that lives has begun is not', async () => {
  const parts = ['a.part-4194999', `c.part-${process.ppid}`];
  for (const name of parts) mkdirSync(join(temporary.path, name));
  await cached(folder, file('one'));
  expect(parts.map((name) => existsSync(join(temporary.path, name)))).toEqual([false, true]);
});

test('a cache that can not be written is told of', async () => {
  const notAFolder = temporary.write('file', 'text');
  const error = await cached(join(notAFolder, 'b'), file('one')).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(UserError);
  expect(error.message).toContain("can't write b to the cache");
  expect(error.next).toContain('XDG_CACHE_HOME');
});
