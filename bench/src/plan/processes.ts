import { busyCores } from '../math/bounds.ts';
import type { TopologyName } from '../request/option-values.ts';

/** Busier than that, requests that come at random take more than five times as long as one alone: 1 / (1 − ρ). */
export const BUSY_AT_MOST = 0.8;

/**
 * The fewest processes that keep a rate up without being too busy: no more than can run at once under the limit, in
 * cores, and one where no number can.
 */
export function processesFor(ratePerS: number, cpuNs: number, limit: number): number {
  const wanted = Math.ceil(busyCores(ratePerS, cpuNs) / BUSY_AT_MOST);
  return Math.max(1, Math.min(wanted, Math.ceil(limit)));
}

/** What to measure to see whether these numbers of processes are right: them, and one fewer and one more of each. */
export function withNeighbours(numbers: readonly number[]): TopologyName[] {
  const all = new Set(numbers.flatMap((each) => [each - 1, each, each + 1]));
  return [...all]
    .filter((each) => each > 0)
    .toSorted((a, b) => a - b)
    .map((each) => (each === 1 ? 'single' : each));
}
