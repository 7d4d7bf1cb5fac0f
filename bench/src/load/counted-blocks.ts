import { disturbedBlocks } from './disturbed.ts';
import type { Measurement } from './measurement.ts';
import { answersIn, FEWEST_TURNS, settledFrom } from './settling.ts';

/**
 * The measurements of one interleaving with the blocks that count, for all servers alike: those before all had settled
 * are a part of the warm-up, and those in which the machine was disturbed are marked.
 */
export function countBlocks(all: readonly Measurement[]): Map<Measurement, Measurement> {
  const from = startOf(all);
  const disturbed = disturbedBlocks(all.map(({ blocks }) => blocks.slice(from)));
  return new Map(all.map((each) => [each, { ...withoutFirst(each, from), disturbed }]));
}

/** The first block by which all have settled that do so in the first half; where nothing warms up, the first. */
function startOf(all: readonly Measurement[]): number {
  const warmedUp = all.filter(({ leadIn }) => leadIn.hasSettled !== null);
  const places = warmedUp.map(({ blocks }) => {
    const place = settledFrom(blocks);
    return isLate(place, blocks) ? 0 : place;
  });
  return Math.max(0, ...places);
}

function withoutFirst(measurement: Measurement, count: number): Measurement {
  const { leadIn, blocks, openedNs } = measurement;
  const before = blocks.slice(0, count);
  const ns = before.reduce((sum, block) => sum + block.ns, 0);
  // What the turns that count show goes before what those before them did, where there are enough.
  const isTold = leadIn.hasSettled !== null && blocks.length >= FEWEST_TURNS;
  return {
    ...measurement,
    openedNs: openedNs === null ? null : openedNs + ns,
    leadIn: {
      ...leadIn,
      blocks: leadIn.blocks + count,
      answers: leadIn.answers + answersIn(before),
      hasSettled: isTold ? !isLate(settledFrom(blocks), blocks) : leadIn.hasSettled,
    },
    blocks: blocks.slice(count),
  };
}

/** Whether a server settled so late that too little of the launch is left. */
function isLate(place: number, blocks: Measurement['blocks']): boolean {
  return place > blocks.length / 2;
}
