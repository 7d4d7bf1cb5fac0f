/** Which blocks of an interleaving count: those after every server has settled, unless the machine was disturbed. */
import { median } from 'simple-statistics';
import type { Block, Measurement } from './measurement.ts';

/** What a server used and answered in a turn. */
export type Turn = Pick<Block, 'cpuNs' | 'answers'>;

/** How many requests a server has answered in these turns. */
export function answersIn(turns: readonly Turn[]): number {
  return turns.reduce((sum, { answers }) => sum + answers, 0);
}

/** CPU time of the server per answer in these turns, ns. */
export function costOf(turns: readonly Turn[]): number {
  return turns.reduce((sum, { cpuNs }) => sum + cpuNs, 0) / answersIn(turns);
}

/** A server that becomes cheaper by more than this share has not settled. */
const FALL_SHARE = 0.02;

/** Whether a server has stopped becoming cheaper: over the last `span` turns, compared with as many before them. */
export function isSteady(turns: readonly Turn[], span: number): boolean {
  if (turns.length < 2 * span) return false;
  const [before, last] = [turns.slice(-2 * span, -span), turns.slice(-span)];
  return costOf(last) >= (1 - FALL_SHARE) * costOf(before);
}

/** The median of this many turns shows what a request costs, despite outliers and bursts. */
const WINDOW = 7;
/** Fewer turns don't show whether a server has settled. */
const FEWEST_TURNS = 3 * WINDOW;
/** A server whose requests cost this many times what they do at the end has not settled. */
const UNSETTLED = 1.05;

/**
 * The index of the first turn from which on a server had settled: before it, the median over a few turns was above
 * the median of the last third. Only turns from the start on are left out, since what comes later is no warm-up. 0
 * where there are too few to tell.
 */
export function settledFrom(turns: readonly Turn[]): number {
  if (turns.length < FEWEST_TURNS) return 0;
  const costs = turns.map((turn) => costOf([turn]));
  const end = median(costs.slice(-Math.ceil(costs.length / 3)));
  const isSettledAt = (place: number) => {
    return median(costs.slice(place, place + WINDOW)) <= UNSETTLED * end;
  };
  const place = costs.findIndex((_, index) => isSettledAt(index));
  // Most turns of that window had settled.
  return place === 0 ? 0 : place + Math.floor(WINDOW / 2);
}

/** With fewer servers, a disturbed machine can't be told from a server that cost more for a reason of its own. */
const FEWEST_SERVERS = 3;
/** A block with fewer answers says little. */
const FEWEST_ANSWERS = 100;
/** In a disturbed block the median server cost more than this many times what it usually does. */
const DISTURBED = 1.1;
/** At most this share of all blocks is left out. */
const MOST_SHARE = 0.2;

/**
 * The indices of the blocks in which the machine was disturbed: each server's CPU time per request in its own turn is
 * divided by its own mean, and the median of that over the servers is far above the one of the median block. Of more
 * than a fifth of the blocks, the worst. No server decides it alone. Work beside the turns does not matter, so that
 * nothing that a server does seldom or late is taken for noise.
 */
export function disturbedBlocks(servers: readonly (readonly Block[])[]): number[] {
  const telling = servers.filter((blocks) => {
    return blocks.every(({ answers }) => answers >= FEWEST_ANSWERS);
  });
  const [first] = telling;
  if (first === undefined || telling.length < FEWEST_SERVERS) return [];
  const relative = telling.map((blocks) => {
    const mean = costOf(blocks);
    return blocks.map((block) => costOf([block]) / mean);
  });
  const scores = first.map((_, place) => median(relative.map((costs) => costs[place] ?? 1)));
  const usual = median(scores);
  return [...scores.entries()]
    .filter(([, score]) => score > DISTURBED * usual)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, Math.floor(MOST_SHARE * scores.length))
    .map(([place]) => place)
    .toSorted((a, b) => a - b);
}

/**
 * The measurements of one interleaving with the blocks that count, the same for all servers: those before all had
 * settled become part of the warm-up, and those in which the machine was disturbed are marked.
 */
export function countBlocks(all: readonly Measurement[]): Map<Measurement, Measurement> {
  const settling = all.map((measurement) => ({ measurement, ...settlingOf(measurement) }));
  const from = Math.max(0, ...settling.map(({ place }) => place));
  const disturbed = disturbedBlocks(all.map(({ blocks }) => blocks.slice(from)));
  const counted = settling.map(({ measurement, hasSettled }) => {
    const { leadIn, blocks, openedNs } = measurement;
    const before = blocks.slice(0, from);
    const ns = before.reduce((sum, block) => sum + block.ns, 0);
    const own = {
      openedNs: openedNs === null ? null : openedNs + ns,
      leadIn: {
        ...leadIn,
        blocks: leadIn.blocks + from,
        answers: leadIn.answers + answersIn(before),
        hasSettled,
      },
      blocks: blocks.slice(from),
      disturbed,
    };
    return [measurement, { ...measurement, ...own }] as const;
  });
  return new Map(counted);
}

/**
 * The index of the first block in which a server had settled, and whether it had. The turns that count show it better
 * than those before them, where there are enough. 0 where nothing warms up, or too little of the launch would
 * be left.
 */
function settlingOf({ blocks, leadIn: { hasSettled } }: Measurement): {
  place: number;
  hasSettled: boolean | null;
} {
  if (hasSettled === null || blocks.length < FEWEST_TURNS) return { place: 0, hasSettled };
  const place = settledFrom(blocks);
  return place > blocks.length / 2 ? { place: 0, hasSettled: false } : { place, hasSettled: true };
}
