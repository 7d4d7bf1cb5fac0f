import { expect, test } from 'vitest';
import { parseKernel, readMainThread } from '../../src/system/main-thread.ts';

/** Above the largest pid that Linux can give. */
const NOBODY = 2 ** 22 + 1;

test('the time in the kernel is the 15th field, whatever a program calls itself', () => {
  const fields = ['R', ...Array.from({ length: 10 }, () => '0'), '123', '45', '6'];
  expect(parseKernel(`77 (a) b (c) ${fields.join(' ')}`)).toBe(45e7);
});

test.runIf(process.platform === 'linux')('of a process that is gone nothing can be read', () => {
  expect(() => readMainThread(NOBODY)).toThrow();
});
