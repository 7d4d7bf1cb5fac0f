import { max, median, min } from 'simple-statistics';
import type { BatchWindow } from '../load/protocol.ts';
import type { WarmupBatch } from '../record/record.ts';

/** The first batch ends by the clock: how fast the server is, nobody knows. */
const PILOT_NS = 1e8;
/** About how long a batch is to take. */
const BATCH_NS = 1.2e8;
/** A batch that took less than this share of it is followed by larger ones: the server has become faster. */
const SHORT_SHARE = 0.6;
/** Fewer requests tell nothing. */
const FEWEST = 3;
/** At least so many batches are held against as many before them, all of the same number of requests. */
const SPAN = 3;
/** As a share of all that are of that number: the slower a server settles, the longer a chance may look like it. */
const SPAN_SHARE = 0.4;
/** By how much CPU per request, and memory, of the two may differ. */
const COST_SHARE = 0.05;
/** By how much the median may have fallen: the smallest of many is as low as that of few sooner or later, by chance. */
const FALL_SHARE = 0.1;
const MEMORY_SHARE = 0.05;

/**
 * The next batch of a server's warm-up, with so much time left, ns. Batches are of equal numbers of
 * requests, since it is by requests, not by time, that a server settles; as long as it becomes much
 * faster they grow.
 */
export function nextBatch(batches: readonly WarmupBatch[], leftNs: number): BatchWindow {
  const last = batches.at(-1);
  if (last === undefined) return { ns: Math.min(PILOT_NS, leftNs), answers: null };
  const { asked, answers, ns } = last;
  const isLong = asked !== null && ns >= SHORT_SHARE * BATCH_NS;
  const wanted = isLong ? asked : Math.round((answers / ns) * BATCH_NS);
  return { ns: leftNs, answers: Math.max(FEWEST, wanted) };
}

/**
 * Whether a server has settled: neither a trend nor a step is left between its last batches and those
 * before them, of which there are more the longer it takes. Of CPU per request the smallest is taken,
 * since whatever else the machine does only adds to it, and the median may not fall; of memory the largest.
 */
export function hasSettled(batches: readonly WarmupBatch[]): boolean {
  const asked = batches.at(-1)?.asked ?? null;
  const equal = batches.slice(batches.findLastIndex((batch) => batch.asked !== asked) + 1);
  const span = Math.max(SPAN, Math.floor(SPAN_SHARE * equal.length));
  if (asked === null || equal.length < 2 * span) return false;
  const [before, last] = [equal.slice(-2 * span, -span), equal.slice(-span)];
  const costs = (those: readonly WarmupBatch[]) => those.map((each) => each.cpuNs / each.answers);
  const bytes = (those: readonly WarmupBatch[]) => max(those.map((batch) => batch.bytes));
  return (
    Math.abs(min(costs(last)) / min(costs(before)) - 1) <= COST_SHARE &&
    median(costs(last)) >= (1 - FALL_SHARE) * median(costs(before)) &&
    Math.abs(bytes(last) / bytes(before) - 1) <= MEMORY_SHARE
  );
}
