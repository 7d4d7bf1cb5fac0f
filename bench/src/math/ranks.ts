import type { Verdict } from './verdicts.ts';

/** An item with its rank. */
export interface Ranked<Item> {
  item: Item;
  /** From 1; items of one place share it, and the next place is as if they did not: 1, 2, 2, 4. */
  place: number;
  /** Whether another item has the same place. */
  tied: boolean;
}

/**
 * Ranks items given in order, best first: all that can't be told from the best share its place; the
 * first that is slower leads the next place, and so on.
 * @param verdict of an item beside the one that leads its place
 */
export function rank<Item>(
  items: Item[],
  verdict: (item: Item, leader: Item) => Verdict,
): Ranked<Item>[] {
  const groups: [Item, ...Item[]][] = [];
  for (const item of items) {
    const group = groups.at(-1);
    if (group === undefined || verdict(item, group[0]) === 'slower') groups.push([item]);
    else group.push(item);
  }
  let before = 0;
  return groups.flatMap((group) => {
    const place = before + 1;
    before += group.length;
    return group.map((item) => ({ item, place, tied: group.length > 1 }));
  });
}
