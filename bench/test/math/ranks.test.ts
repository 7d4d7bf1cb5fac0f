import { expect, test } from 'vitest';
import { rank } from '../../src/math/ranks.ts';
import type { Verdict } from '../../src/math/verdicts.ts';

/** Places of costs in order, where a cost counts as more from this many on; `=` for a tie. */
function placesOf(costs: number[], more = 1): string[] {
  const verdict = (cost: number, leader: number) => (cost - leader >= more ? 'slower' : 'same');
  return rank(costs, verdict).map(({ place, tied }) => (tied ? `${place}=` : `${place}`));
}

test('items that are all told apart have a place each', () => {
  expect(placesOf([10, 12, 14])).toEqual(['1', '2', '3']);
});

test('items that are not told apart share a place, and the next is counted on', () => {
  expect(placesOf([10, 12, 12.5, 14])).toEqual(['1', '2=', '2=', '4']);
  expect(placesOf([10, 10, 10])).toEqual(['1=', '1=', '1=']);
});

test('a place is shared with its leader, not with the neighbour', () => {
  expect(placesOf([10, 10.6, 11.2, 11.8])).toEqual(['1=', '1=', '3=', '3=']);
});

test.each<[Verdict, number]>([
  ['slower', 2],
  ['same', 1],
  ["can't tell", 1],
  // The order is by estimates of their own; a pair can be told apart the other way round.
  ['faster', 1],
])('an item found "%s" beside the leader has place %d', (verdict, place) => {
  const [, second] = rank(['leader', 'second'], () => verdict);
  expect(second?.place).toBe(place);
});

test('every item keeps its order and is asked about beside its leader', () => {
  const asked: string[] = [];
  const ranked = rank(['a', 'b', 'c', 'd'], (item, leader) => {
    asked.push(item + leader);
    return item === 'c' ? 'slower' : 'same';
  });
  expect(ranked.map(({ item }) => item)).toEqual(['a', 'b', 'c', 'd']);
  expect(asked).toEqual(['ba', 'ca', 'dc']);
});

test('nothing to rank is no rank', () => {
  expect(placesOf([])).toEqual([]);
  expect(placesOf([3])).toEqual(['1']);
});
