import { expect, test } from 'vitest';
import { type Outcome, PAIRS, tally, usualVerdict } from './pairs.ts';

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

test('the usual way compares two numbers with a threshold', () => {
  const verdicts = [94, 96, 104, 106].map((second) => usualVerdict(outcome('same', second)));
  expect(verdicts).toEqual(['slower', 'same', 'same', 'faster']);
});

test('the measured pairs are counted by kind and verdict, for both ways', () => {
  const outcomes = {
    'same-01': outcome('same', 94),
    'same-02': outcome("can't tell", 100),
    'three-01': outcome('slower', 97),
  };
  expect(tally(outcomes)).toEqual([
    '+3 %: 1 of 12; ab: 1 slower; the usual way: 1 same',
    "+0 %: 2 of 20; ab: 1 same, 1 can't tell; the usual way: 1 slower, 1 same",
    '+1.5 %: 0 of 6',
  ]);
});
