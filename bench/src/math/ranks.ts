import type { Verdict } from './verdicts.ts';

/**
 * The places of items given in order, best first. Items that can't be told from the best share its place; the first
 * that is slower leads the next place, and so on.
 * @param verdict on an item compared with the one that leads its place
 * @returns in the order of the items: the place from 1, counted as 1, 2, 2, 4, and whether another item shares it
 */
export function rank<Item>(items: readonly Item[], verdict: (item: Item, leader: Item) => Verdict) {
  const groups: [Item, ...Item[]][] = [];
  for (const item of items) {
    const group = groups.at(-1);
    if (group === undefined || verdict(item, group[0]) === 'slower') groups.push([item]);
    else group.push(item);
  }
  let place = 1;
  return groups.flatMap((group) => {
    const own = group.map(() => ({ place, tied: group.length > 1 }));
    place += group.length;
    return own;
  });
}
