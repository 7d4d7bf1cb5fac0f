import { expect, test } from 'vitest';
import { batches } from '../../src/load/autocannon.ts';

test.each([1, 199, 200, 201, 1000, 1234])(
  '%d connections are opened in full, in batches of no more than asked for',
  (count) => {
    const sizes = batches(count, 200);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(count);
    for (const size of sizes) {
      expect(size).toBeGreaterThan(0);
      expect(size).toBeLessThanOrEqual(200);
    }
  },
);

test('there are no more batches than needed', () => {
  expect(batches(100, 200)).toEqual([100]);
  expect(batches(1000, 250)).toEqual([250, 250, 250, 250]);
  expect(batches(3, 1)).toEqual([1, 1, 1]);
});

test('no connection needs no batch', () => {
  expect(batches(0, 200)).toEqual([]);
});
