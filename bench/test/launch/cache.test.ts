import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { cached } from '../../src/launch/cache.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const file = (text: string) => async (folder: string) => {
  writeFileSync(join(folder, 'file'), text);
};

test('a folder is made once', async () => {
  using temporary = temporaryFolder();
  const folder = join(temporary.path, 'a/b');
  expect(await cached(folder, file('one'))).toBe(folder);
  await cached(folder, () => Promise.reject(new Error('made again')));
  expect(readdirSync(folder)).toEqual(['file']);
  expect(readdirSync(join(temporary.path, 'a'))).toEqual(['b']);
});

test('nothing is left of one that could not be made, and it is made the next time', async () => {
  using temporary = temporaryFolder();
  const folder = join(temporary.path, 'b');
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
  using temporary = temporaryFolder();
  const folder = join(temporary.path, 'b');
  await cached(folder, async (partial) => {
    await file('mine')(partial);
    mkdirSync(folder);
    writeFileSync(join(folder, 'theirs'), '');
  });
  expect(readdirSync(folder)).toEqual(['theirs']);
  expect(readdirSync(temporary.path)).toEqual(['b']);
});

test('what a process that is gone had begun is removed, what one that lives has begun is not', async () => {
  using temporary = temporaryFolder();
  const abandoned = join(temporary.path, 'a.part-4194999');
  const underWay = join(temporary.path, `c.part-${process.ppid}`);
  for (const folder of [abandoned, underWay]) mkdirSync(folder);
  await cached(join(temporary.path, 'b'), file('one'));
  expect([existsSync(abandoned), existsSync(underWay)]).toEqual([false, true]);
});

test('a cache that can not be written is told of', async () => {
  using temporary = temporaryFolder();
  const notAFolder = temporary.write('file', 'text');
  const error = await cached(join(notAFolder, 'b'), file('one')).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(UserError);
  expect(error.message).toContain("can't write b to the cache");
  expect(error.next).toContain('XDG_CACHE_HOME');
});
