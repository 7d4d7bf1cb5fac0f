import { describe, expect, test } from 'vitest';
import { minus, plus } from '../../src/math/counters.ts';

const one = { turns: 5, cpu: { server: { ns: 7 } }, workers: [1, 2] };
const other = { turns: 3, cpu: { server: { ns: 2 } }, workers: [10, 20] };

describe('counts', () => {
  test('add up wherever they stand', () => {
    const sum = { turns: 8, cpu: { server: { ns: 9 } }, workers: [11, 22] };
    expect(plus(one, other)).toEqual(sum);
    expect(minus(sum, other)).toEqual(one);
  });

  test('that only one has stay as they are', () => {
    const services: Record<string, { ns: number }> = { redis: { ns: 4 } };
    expect(plus({}, services)).toEqual(services);
    expect(plus(services, {})).toEqual(services);
    expect(minus(services, {})).toEqual(services);
    expect(plus([3], [1, 2])).toEqual([4, 2]);
    expect(minus([3, 4], [1])).toEqual([2, 4]);
  });

  test('that are not known in one are not in the result', () => {
    const known: { a: { b: number } | null } = { a: { b: 1 } };
    for (const act of [plus<typeof known>, minus<typeof known>]) {
      expect(act(known, { a: null })).toEqual({ a: null });
      expect(act({ a: null }, known)).toEqual({ a: null });
    }
  });
});

test('texts are added as it is said', () => {
  expect(plus({ text: 'a' }, { text: 'b' }, (a, b) => a + b)).toEqual({ text: 'ab' });
});
