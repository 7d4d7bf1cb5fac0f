import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import writeFileAtomic from 'write-file-atomic';
import { readText, saveText } from '../../src/base/text-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const failing = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));

test('a folder that goes away while it is written to is made again', async () => {
  using folder = temporaryFolder();
  const results = join(folder.path, 'results');
  const file = join(results, 'record.json');
  await saveText(file, 'all of it', 'record', async (path, content) => {
    if (existsSync(`${results}-before`)) return await writeFileAtomic(path, content);
    renameSync(results, `${results}-before`);
    return await failing('ENOENT');
  });
  expect(readText(file)).toBe('all of it');
});

test('any other failure is the answer at once', async () => {
  using folder = temporaryFolder();
  let tries = 0;
  const saved = saveText(join(folder.path, 'record.json'), 'all of it', 'record', () => {
    tries++;
    return failing('ENOSPC');
  });
  await expect(saved).rejects.toThrow("can't save the record: ENOSPC");
  expect(tries).toBe(1);
});
