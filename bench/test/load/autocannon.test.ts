import { expect, test } from 'vitest';
import { batches } from '../../src/load/autocannon.ts';

/** Node's listen backlog; the kernel drops handshakes beyond it. */
const BACKLOG = 511;

test.each([1, 199, 200, 201, 1000, 1234])(
  '%d connections are opened in full, in batches',
  (count) => {
    const sizes = batches(count);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(count);
    for (const size of sizes) {
      expect(size).toBeGreaterThan(0);
      expect(size).toBeLessThan(BACKLOG / 2);
    }
  },
);

test('there are no more batches than needed', () => {
  expect(batches(100)).toEqual([100]);
  const sizes = batches(1000);
  expect(new Set(sizes).size).toBe(1);
});

test('no connection needs no batch', () => {
  expect(batches(0)).toEqual([]);
});
