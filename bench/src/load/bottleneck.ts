import type { Load } from '../plan/loads.ts';
import type { Topology } from '../plan/topology.ts';
import type { Measurement } from './measurement.ts';

/**
 * A generator that was idle for a smaller share of the window than this was the limit. In the slices
 * of docs/runs with a never-sleeping generator the server used 0.88 to 0.96 of its core below it (the
 * medians from 0 to 3 %), and 0.98 right above.
 */
export const LEAST_IDLE_SHARE = 0.03;

/**
 * The share of the window in which a generator had nothing to do: that of the busiest
 * where they never sleep, what all together did not use of their cores where they sleep. The number
 * of turns would say little: an empty one takes about 0.8 µs, one that brings answers up to 13 ms.
 */
export function idleShare({ turns, windowNs, cpu, generators }: Measurement): number {
  if (turns.all > 0) return turns.idleNs / windowNs;
  return 1 - cpu.generator.cpuNs / (windowNs * generators);
}

/** Whether the generator, not the server, was the limit of this slice. */
export function generatorBound(measurement: Measurement): boolean {
  return idleShare(measurement) < LEAST_IDLE_SHARE;
}

/**
 * How many generators a topology and load need after this slice: one more where they were the limit,
 * as long as there is a core for it and a connection for each.
 */
export function generatorsNeeded(
  measurement: Measurement,
  { spareCores }: Topology,
  { connections }: Load,
): number {
  const { generators } = measurement;
  if (!generatorBound(measurement)) return generators;
  return Math.min(generators + 1, 1 + spareCores.length, connections);
}
