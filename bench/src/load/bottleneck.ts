import type { Measurement } from './measurement.ts';

/**
 * A generator with a smaller idle share than this was the bottleneck. In the slices of docs/runs with generators that
 * never sleep, servers used 0.88 to 0.96 of a core below this limit, and 0.98 right above it.
 */
export const LEAST_IDLE_SHARE = 0.03;

/**
 * The share of the window in which the generators were idle: of the busiest one if they never sleep, else what all
 * together did not use of their cores. Counts of turns would not do: an empty one takes 0.8 µs, another up to 13 ms.
 */
export function idleShare({ turns, windowNs, cpu, generators }: Measurement): number {
  if (turns.all > 0) return turns.idleNs / windowNs;
  return 1 - cpu.generator.cpuNs / (windowNs * generators);
}
