import type { Block } from './measurement.ts';

type Turn = Pick<Block, 'cpuNs' | 'answers'>;

/** By which share a request may have become cheaper from these turns to those. */
const FALL_SHARE = 0.02;

/** Whether a server has stopped becoming cheaper: over so many turns, held against as many before them. */
export function isSteady(turns: readonly Turn[], span: number): boolean {
  if (turns.length < 2 * span) return false;
  const [before, last] = [turns.slice(-2 * span, -span), turns.slice(-span)];
  return costOf(last) >= (1 - FALL_SHARE) * costOf(before);
}

/** How many requests it has answered in these turns. */
export function answersIn(turns: readonly Turn[]): number {
  return turns.reduce((sum, { answers }) => sum + answers, 0);
}

function costOf(turns: readonly Turn[]): number {
  return turns.reduce((sum, { cpuNs }) => sum + cpuNs, 0) / answersIn(turns);
}
