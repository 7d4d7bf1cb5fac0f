import { max, min } from 'simple-statistics';
import type { Window } from '../load/protocol.ts';
import type { Batch } from '../record/record.ts';

/** The first batches end by the clock: they are slow, and how slow nobody knows. */
const PILOTS = 2;
const PILOT_NS = 1e8;
/** How long a batch takes at the pace that the last pilot had, about. */
const BATCH_NS = 1.5e8;
/** Fewer requests tell nothing. */
const FEWEST = 3;
/** How many batches are held against as many before them. */
const SPAN = 3;
/** By how much CPU per request, and memory, of the two may differ. */
const COST_SHARE = 0.05;
const MEMORY_SHARE = 0.05;

/**
 * The next batch of a server's warm-up, with so much time left, ns. All but the first ones are of equal
 * numbers of requests, since it is by requests, not by time, that a server settles.
 */
export function nextBatch(batches: readonly Batch[], leftNs: number): Window {
  const pilot = batches[PILOTS - 1];
  if (pilot === undefined) return { ns: Math.min(PILOT_NS, leftNs), answers: null };
  const answers = Math.max(FEWEST, Math.round((pilot.answers / pilot.ns) * BATCH_NS));
  return { ns: leftNs, answers };
}

/**
 * Whether a server has settled: neither a trend nor a step is left between its last batches and those
 * before them. Of CPU per request the smallest is taken, since whatever else the machine does only
 * adds to it; of memory the largest.
 */
export function hasSettled(batches: readonly Batch[]): boolean {
  const counted = batches.slice(PILOTS);
  if (counted.length < 2 * SPAN) return false;
  const [before, last] = [counted.slice(-2 * SPAN, -SPAN), counted.slice(-SPAN)];
  const costs = (those: readonly Batch[]) =>
    min(those.map(({ cpuNs, answers }) => cpuNs / answers));
  const bytes = (those: readonly Batch[]) => max(those.map((batch) => batch.bytes));
  return (
    Math.abs(costs(last) / costs(before) - 1) <= COST_SHARE &&
    Math.abs(bytes(last) / bytes(before) - 1) <= MEMORY_SHARE
  );
}
