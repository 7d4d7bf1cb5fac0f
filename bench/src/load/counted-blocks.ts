import { disturbedBlocks } from './disturbed.ts';
import type { Measurement } from './measurement.ts';
import { answersIn, FEWEST_TURNS, settledFrom } from './settling.ts';

/**
 * The measurements of one interleaving with the blocks that count, for all servers alike: those before all had settled
 * are a part of the warm-up, and those in which the machine was disturbed are marked.
 */
export function countBlocks(all: readonly Measurement[]): Map<Measurement, Measurement> {
  const settling = all.map((measurement) => ({ measurement, ...settlingOf(measurement) }));
  const from = Math.max(0, ...settling.map(({ place }) => place));
  const disturbed = disturbedBlocks(all.map(({ blocks }) => blocks.slice(from)));
  return new Map(
    settling.map(({ measurement, hasSettled }) => {
      return [measurement, { ...withoutFirst(measurement, from, hasSettled), disturbed }];
    }),
  );
}

/**
 * The first block by which a server had settled, and whether it had: what the turns that count show goes before what
 * those before them did, where there are enough. The first of all where nothing warms up, or too little of the launch
 * would be left.
 */
function settlingOf({ blocks, leadIn: { hasSettled } }: Measurement): {
  place: number;
  hasSettled: boolean | null;
} {
  if (hasSettled === null || blocks.length < FEWEST_TURNS) return { place: 0, hasSettled };
  const place = settledFrom(blocks);
  return place > blocks.length / 2 ? { place: 0, hasSettled: false } : { place, hasSettled: true };
}

function withoutFirst(
  measurement: Measurement,
  count: number,
  hasSettled: boolean | null,
): Measurement {
  const { leadIn, blocks, openedNs } = measurement;
  const before = blocks.slice(0, count);
  const ns = before.reduce((sum, block) => sum + block.ns, 0);
  return {
    ...measurement,
    openedNs: openedNs === null ? null : openedNs + ns,
    leadIn: {
      ...leadIn,
      blocks: leadIn.blocks + count,
      answers: leadIn.answers + answersIn(before),
      hasSettled,
    },
    blocks: blocks.slice(count),
  };
}
