import { expect, test } from 'vitest';
import { minus, plus } from '../../src/math/counters.ts';

const one = { turns: 5, cpu: { server: { ns: 7 } }, workers: [1, 2] };
const other = { turns: 3, cpu: { server: { ns: 2 } }, workers: [10, 20] };

test('counters add up at every depth', () => {
  const sum = { turns: 8, cpu: { server: { ns: 9 } }, workers: [11, 22] };
  expect(plus(one, other)).toEqual(sum);
  expect(minus(sum, other)).toEqual(one);
});

test('counters that only one has are kept', () => {
  const services: Record<string, { ns: number }> = { redis: { ns: 4 } };
  for (const kept of [plus({}, services), plus(services, {}), minus(services, {})]) {
    expect(kept).toEqual(services);
  }
  expect([plus([3], [1, 2]), minus([3, 4], [1])]).toEqual([
    [4, 2],
    [2, 4],
  ]);
});

test('counters that are unknown in one are unknown in the result', () => {
  const known: { a: { b: number } | null } = { a: { b: 1 } };
  for (const act of [plus<typeof known>, minus<typeof known>]) {
    expect([act(known, { a: null }), act({ a: null }, known)]).toEqual([{ a: null }, { a: null }]);
  }
});

test('texts are combined by the given function', () => {
  expect(plus({ text: 'a' }, { text: 'b' }, (a, b) => a + b)).toEqual({ text: 'ab' });
});
