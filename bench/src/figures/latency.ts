import { survival } from '../math/survival.ts';
import type { Slice } from '../record/record.ts';
import { type Bucket, bucketOf, lowestOf, middleOf, pooled, Times } from './times.ts';

/** A time, ns; where requests went unanswered perhaps no more than what it is above. */
export type Time = { kind: 'known'; ns: number } | { kind: 'above'; ns: number };

/** Latency of the requests that were answered as declared, and of those that had no answer. */
export interface Latency {
  /** Above what it would be if none took longer than the longest wait, where some do. */
  mean: Time;
  /** Standard deviation, ns; null where some take longer than all that was seen: it has no bound. */
  deviation: number | null;
  min: Time;
  p2_5: Time;
  p50: Time;
  p75: Time;
  p95: Time;
  p97_5: Time;
  p99: Time;
  max: Time;
  /** From the median on. */
  tail: { share: number; time: Time }[];
  /** Of the answered alone, as if there were no others; the mean is 0 where none was. */
  survivors: { count: number; meanNs: number };
}

/** Shares of the requests, nearer and nearer to all of them. */
const TAIL = [0.5, 0.75, 0.9, 0.95, 0.975, 0.99, 0.995, 0.999, 0.9995, 0.9999, 0.99999];

/** What the load of some slices means for requests without an answer. */
export interface CensoringRule {
  /** The windows opened with the load: what was in flight at their end had been sent inside them. */
  fromTheStart: boolean;
  timeoutNs: number;
}

/** With fewer answers, too few are among the slowest hundredth to tell a p99. */
export const ENOUGH_FOR_P99 = 1000;

const NS_PER_US = 1000;

/** The latencies of all requests answered in these slices' windows; null without a slice. */
export function histogramOf(slices: readonly Slice[]): Times | null {
  if (slices.length === 0) return null;
  return pooled(slices.map(({ measurement }) => measurement.latencyHistogram));
}

/**
 * The latency in these slices' windows; null when nothing is known of any request. A request without
 * an answer takes longer than it had waited when it was lost, or when the window closed that had
 * opened with the load; longer than the time-out where nobody looked. Quantiles are those of the
 * Kaplan–Meier estimate: one that is not reached is only known to be above the longest wait. The
 * mean is then the restricted mean, of all as if they took no longer than that (Irwin 1949).
 *
 * A request that was planned and never sent is longer than all that was seen. Where nothing was seen it is
 * above 0: nothing is known of it, and it is not left out.
 *
 * Once a request waited in vain for the length of the time-out, nothing is told apart that took
 * longer: answers later than that come from connections that were served all along, and say nothing
 * of those that were given up.
 */
export function latencyOf(slices: readonly Slice[], censoring: CensoringRule): Latency | null {
  const answered = histogramOf(slices);
  if (answered === null) return null;
  const waits = waitsOf(slices, censoring);
  const timeoutUs = censoring.timeoutNs / NS_PER_US;
  const isGivenUp = waits.most >= timeoutUs;
  const longestUs = isGivenUp ? timeoutUs : lowestOf(waits.most);
  const isTold = ([us]: Bucket) => !isGivenUp || us < timeoutUs;
  const answers = answered.buckets;
  const told = answers.filter(isTold);
  // One that was never sent, for want of a place, would have taken longer than those that had one.
  const dropped = slices.reduce((all, { measurement }) => {
    return all + (measurement.pace?.dropped ?? 0);
  }, 0);
  if (answered.count + waits.count + dropped === 0) return null;
  const { steps, beyond, quantile } = survival(told, [
    ...waits.buckets,
    ...answers.filter((bucket) => !isTold(bucket)),
    ...(dropped > 0 ? [[answered.most, dropped] as const] : []),
  ]);
  // From the middle of each bucket, as HdrHistogram has it.
  const expected = (value: (us: number) => number) => {
    return steps.reduce((sum, { time, share }) => sum + share * value(middleOf(time)), 0);
  };
  const beyondUs = dropped > 0 ? Math.max(longestUs, answered.most) : longestUs;
  const meanUs = expected((us) => us) + beyond * beyondUs;
  const time = (kind: Time['kind'], us: number): Time => ({ kind, ns: us * NS_PER_US });
  const timeOf = (share: number): Time => {
    const us = quantile(share);
    return us === null ? time('above', beyondUs) : time('known', us);
  };
  return {
    mean: time(beyond > 0 ? 'above' : 'known', meanUs),
    deviation: beyond > 0 ? null : Math.sqrt(expected((us) => (us - meanUs) ** 2)) * NS_PER_US,
    min: timeOf(0),
    p2_5: timeOf(0.025),
    p50: timeOf(0.5),
    p75: timeOf(0.75),
    p95: timeOf(0.95),
    p97_5: timeOf(0.975),
    p99: timeOf(0.99),
    max: timeOf(1),
    tail: TAIL.map((share) => ({ share, time: timeOf(share) })),
    survivors: { count: answered.count, meanNs: answered.mean * NS_PER_US },
  };
}

/** How many requests were still without an answer when a slice's window closed; null where nobody looked. */
export function inFlightAtClose({ measurement: { agesHistograms } }: Slice): number | null {
  return agesHistograms === null ? null : pooled([agesHistograms.inFlight]).count;
}

/** How long requests without an answer had waited. */
function waitsOf(slices: readonly Slice[], { fromTheStart, timeoutNs }: CensoringRule): Times {
  const buckets = slices.flatMap(({ measurement: { agesHistograms: ages, window } }) => {
    if (ages !== null)
      return pooled(fromTheStart ? [ages.lost, ages.inFlight] : [ages.lost]).buckets;
    return [bucketOf(timeoutNs / NS_PER_US, window.timedOut + window.disconnected)];
  });
  return new Times(buckets.filter(([, count]) => count > 0));
}
