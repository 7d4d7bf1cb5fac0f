import { expect, test } from 'vitest';
import { type Outcome, PAIRS, tally } from './pairs.ts';

const outcome = (verdict: Outcome['verdict'], second: number): Outcome => {
  const run = { launches: 8, wallS: 200, cpuModel: 'a CPU' };
  return { verdict, ...run, found: 0, usual: { first: 100, second } };
};

test('each pair has a name and a seed of its own, and the frameworks share each kind', () => {
  expect(new Set(PAIRS.map(({ id }) => id)).size).toBe(38);
  expect(new Set(PAIRS.map(({ seed }) => seed)).size).toBe(38);
  for (const [, pairs] of Map.groupBy(PAIRS, ({ more }) => more)) {
    expect(new Set(pairs.map(({ framework }) => framework)).size).toBe(3);
  }
});

test('the measured pairs are counted by kind and verdict; the usual way goes by a threshold', () => {
  const outcomes = {
    'same-01': outcome('same', 94),
    'same-02': outcome("can't tell", 96),
    'same-03': outcome('same', 104),
    'same-04': outcome('same', 106),
    'three-01': outcome('slower', 97),
  };
  expect(tally(outcomes)).toEqual([
    '+3 %: 1 of 12; ab: 1 slower; the usual way: 1 same',
    "+0 %: 4 of 20; ab: 3 same, 1 can't tell; the usual way: 1 slower, 2 same, 1 faster",
    '+1.5 %: 0 of 6',
  ]);
});
