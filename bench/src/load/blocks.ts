/** Which blocks of an interleaving count: those after all servers have settled. */
import { median } from 'simple-statistics';
import type { Block, Measurement } from './measurement.ts';

export type Turn = Pick<Block, 'cpuNs' | 'answers'>;

export function answersIn(turns: readonly Turn[]): number {
  return turns.reduce((sum, { answers }) => sum + answers, 0);
}

/** CPU time of the server per answer in these turns, ns. */
export function costOf(turns: readonly Turn[]): number {
  return turns.reduce((sum, { cpuNs }) => sum + cpuNs, 0) / answersIn(turns);
}

/** A server whose cost falls by more than this share has not settled. */
const FALL_SHARE = 0.02;

/** Whether a server's cost has stopped falling: the last `span` turns against the `span` before them. */
export function isSteady(turns: readonly Turn[], span: number): boolean {
  if (turns.length < 2 * span) return false;
  const [before, last] = [turns.slice(-2 * span, -span), turns.slice(-span)];
  return costOf(last) >= (1 - FALL_SHARE) * costOf(before);
}

/** Whether a server was ever steady after so many answers. Once is enough: with noise, all rarely look so together. */
export function hasSettled(turns: readonly Turn[], rule: { answers: number; span: number }) {
  return turns.some((_, place) => {
    const until = turns.slice(0, place + 1);
    return answersIn(until) >= rule.answers && isSteady(until, rule.span);
  });
}

/** The median of this many turns is robust against outliers and bursts. */
const WINDOW = 7;
/** Fewer turns don't show whether a server has settled. */
const FEWEST_TURNS = 3 * WINDOW;
/** A server has not settled while requests cost more than this many times what they cost at the end. */
const UNSETTLED = 1.05;

/** The index of the first turn in which a server had settled, 0 if there are too few. Later rises are no warm-up. */
export function settledFrom(turns: readonly Turn[]): number {
  if (turns.length < FEWEST_TURNS) return 0;
  const costs = turns.map((turn) => costOf([turn]));
  const end = median(costs.slice(-Math.ceil(costs.length / 3)));
  const place = costs.findIndex((_, index) => {
    return median(costs.slice(index, index + WINDOW)) <= UNSETTLED * end;
  });
  // Most turns of that window had settled.
  return place === 0 ? 0 : place + Math.floor(WINDOW / 2);
}

/** The first block that counts for all servers of an interleaving, which all had settled by then. */
export function firstThatCounts(all: readonly Measurement[]): number {
  return Math.max(0, ...all.map((measurement) => settlingOf(measurement).place));
}

/** A measurement with the blocks from this one on: those before it become part of the lead-in. */
export function withBlocksFrom(first: number, measurement: Measurement): Measurement {
  const { leadIn, blocks, openedNs } = measurement;
  const before = blocks.slice(0, first);
  const ns = before.reduce((sum, block) => sum + block.ns, 0);
  const answers = leadIn.answers + answersIn(before);
  const { hasSettled } = settlingOf(measurement);
  return {
    ...measurement,
    openedNs: openedNs + ns,
    leadIn: { ...leadIn, blocks: leadIn.blocks + first, answers, hasSettled },
    blocks: blocks.slice(first),
  };
}

/** Whether, and by which block, a server had settled. Enough blocks show it better than the lead-in. */
function settlingOf({ blocks, leadIn: { hasSettled } }: Measurement) {
  if (hasSettled === null || blocks.length < FEWEST_TURNS) return { place: 0, hasSettled };
  const place = settledFrom(blocks);
  return place > blocks.length / 2 ? { place: 0, hasSettled: false } : { place, hasSettled: true };
}
