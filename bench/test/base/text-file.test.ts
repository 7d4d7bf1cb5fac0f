import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readText, saveText } from '../../src/base/text-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const write = vi.hoisted(() => vi.fn());
vi.mock('write-file-atomic', async (original) => {
  const { default: really } = await original<{ default: (...args: unknown[]) => Promise<void> }>();
  write.mockImplementation(really);
  return { default: write };
});

test('a folder that goes away while it is written to is made again', async () => {
  using folder = temporaryFolder();
  const results = join(folder.path, 'results');
  const file = join(results, 'record.json');
  write.mockImplementationOnce(async () => {
    renameSync(results, `${results}-before`);
    throw Object.assign(new Error('no such file or directory'), { code: 'ENOENT' });
  });
  await saveText(file, 'all of it', 'record');
  expect(readText(file)).toBe('all of it');
  expect(existsSync(`${results}-before`)).toBe(true);
});

test('any other failure is the answer at once', async () => {
  using folder = temporaryFolder();
  const error = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  write.mockRejectedValueOnce(error);
  const calls = write.mock.calls.length;
  const saved = saveText(join(folder.path, 'record.json'), 'all of it', 'record');
  await expect(saved).rejects.toThrow("can't save the record: no space left on device");
  expect(write.mock.calls.length).toBe(calls + 1);
});
