import { expect, test } from 'vitest';
import { rank, type Verdict } from '../../src/math/verdicts.ts';

test.each<[string, costs: number[], places: string]>([
  ['a place each if all are told apart', [10, 12, 14], '1 2 3'],
  ['a shared place if not, and the next one counted on', [10, 12, 12.5, 14], '1 2= 2= 4'],
  ['one place if none are told apart', [10, 10, 10], '1= 1= 1='],
  ['the place of their leader, not of their neighbour', [10, 10.6, 11.2, 11.8], '1= 1= 3= 3='],
  ['the first place if there is only one', [3], '1'],
  ['none if there are none', [], ''],
])('items have %s', (_, costs, places) => {
  // A cost counts as more from 1 on.
  const verdict = (cost: number, leader: number) => (cost - leader >= 1 ? 'slower' : 'same');
  const found = rank(costs, verdict).map(({ place, tied }) => (tied ? `${place}=` : `${place}`));
  expect(found.join(' ')).toBe(places);
});

test.each<[Verdict, number]>([
  ['slower', 2],
  ['same', 1],
  ["can't tell", 1],
  // The order is that of their own estimates; the pair can be told apart the other way round.
  ['faster', 1],
])('an item that is "%s" than the leader has place %d', (verdict, place) => {
  expect(rank(['leader', 'second'], () => verdict)[1]?.place).toBe(place);
});

test('every item is compared with its leader', () => {
  const asked: string[] = [];
  rank(['a', 'b', 'c', 'd'], (item, leader) => {
    asked.push(item + leader);
    return item === 'c' ? 'slower' : 'same';
  });
  expect(asked).toEqual(['ba', 'ca', 'dc']);
});
