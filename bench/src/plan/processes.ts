import { busyCores } from '../math/bounds.ts';
import type { TopologyName } from '../request/option-values.ts';

/** Above this, requests that arrive at random take more than five times as long as one alone: 1 / (1 − ρ). */
export const BUSY_AT_MOST = 0.8;

/** The fewest processes that are not too busy at a rate, and no more than can run under the limit, in cores. */
export function processesFor(ratePerS: number, cpuNs: number, limit: number): number {
  const wanted = Math.ceil(busyCores(ratePerS, cpuNs) / BUSY_AT_MOST);
  return Math.max(1, Math.min(wanted, Math.ceil(limit)));
}

/** Topologies that show whether these numbers of processes are right: each of them, one fewer and one more. */
export function withNeighbours(numbers: readonly number[]): TopologyName[] {
  const all = new Set(numbers.flatMap((each) => [each - 1, each, each + 1]));
  return [...all]
    .filter((each) => each > 0)
    .toSorted((a, b) => a - b)
    .map((each) => (each === 1 ? 'single' : each));
}
