import { median } from 'simple-statistics';
import type { Block } from './measurement.ts';
import { costOf } from './settling.ts';

/** Of fewer servers nobody can tell whether the machine was disturbed, or one of them was dearer for a reason of its own. */
const FEWEST_SERVERS = 3;
/** Of fewer answers a block says little. */
const FEWEST_ANSWERS = 100;
/** A block counts as disturbed where the middle one of the servers was so many times as dear as it usually is. */
const DEARER = 1.1;
/** Of all blocks at most. */
const MOST_SHARE = 0.2;

/**
 * The blocks of an interleaving in which the machine was disturbed, by their places: where the median over the
 * servers of the CPU time a request in its own turn, over that server's own mean, is far above what it is in the
 * median block; of more than a fifth the worst. No server decides it alone, and none is asked how much it did
 * beside its turns, so nothing that one does seldom or late is taken for noise.
 */
export function disturbedBlocks(servers: readonly (readonly Block[])[]): number[] {
  const telling = servers.filter((blocks) => {
    return blocks.every(({ answers }) => answers >= FEWEST_ANSWERS);
  });
  const [first] = telling;
  if (first === undefined || telling.length < FEWEST_SERVERS) return [];
  const relative = telling.map(relativeCosts);
  const scores = first.map((_, place) => median(relative.map((costs) => costs[place] ?? 1)));
  const usual = median(scores);
  return [...scores.entries()]
    .filter(([, score]) => score > DEARER * usual)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, Math.floor(MOST_SHARE * scores.length))
    .map(([place]) => place)
    .toSorted((a, b) => a - b);
}

/** CPU time a request of each turn over that of all turns. */
function relativeCosts(blocks: readonly Block[]): number[] {
  const mean = costOf(blocks);
  return blocks.map((block) => costOf([block]) / mean);
}
