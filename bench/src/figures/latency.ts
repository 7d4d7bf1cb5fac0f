import { survival } from '../math/survival.ts';
import type { Load } from '../plan/loads.ts';
import type { Slice } from '../record/record.ts';
import { type Bucket, bucketOf, lowestOf, middleOf, pooled, Times } from './times.ts';

/** A time, ns; if requests had no answer, perhaps only a lower bound of it. */
export type Time = { kind: 'known'; ns: number } | { kind: 'above'; ns: number };

/** Latency of the requests that were answered as declared, and of those that had no answer. */
export type Latency = NonNullable<ReturnType<typeof latencyOf>>;

/** The mean, or a quantile. */
export type TimeName = Exclude<keyof Latency, 'deviation' | 'tail' | 'survivors'>;

/** Shares of the requests, closer and closer to all of them. */
const TAIL = [0.5, 0.75, 0.9, 0.95, 0.975, 0.99, 0.995, 0.999, 0.9995, 0.9999, 0.99999];

/** What of a load says how it censors requests without an answer. */
type Censoring = Pick<Load, 'kind' | 'method' | 'timeoutNs'>;

export const ENOUGH_FOR_P99 = 1000;

/** Whether so many answers tell a p99; with fewer, too few are in the slowest hundredth. */
export const isEnoughForP99 = (answers: number) => answers >= ENOUGH_FOR_P99;

const NS_PER_US = 1000;

/** The latencies of all requests answered in the windows of these slices. */
export function histogramOf(slices: readonly Slice[]): Times {
  return pooled(slices.map(({ measurement }) => measurement.latencyHistogram));
}

/**
 * The latency in the windows of those slices that were on schedule; null if nothing is known of any request. A request
 * without an answer takes longer than it had waited when it was lost, or when a window closed that had opened with the
 * load; if the ages were not recorded, longer than the time-out. Quantiles are Kaplan–Meier estimates: one that is not
 * reached is only known to be above the longest wait. The mean is then the restricted mean, as if no request took
 * longer (Irwin 1949). A request planned and never sent takes longer than all observed times, or above 0 without any.
 *
 * Once a request has waited for the whole time-out, longer times are all the same: later answers come from connections
 * that were served all along, and say nothing about those that were given up.
 */
export function latencyOf(all: readonly Slice[], load: Censoring) {
  const slices = onScheduleOf(all);
  const answered = histogramOf(slices);
  const waits = waitsOf(slices, load);
  const timeoutUs = load.timeoutNs / NS_PER_US;
  const isGivenUp = waits.most >= timeoutUs;
  const longestUs = isGivenUp ? timeoutUs : lowestOf(waits.most);
  const counts = ([us]: Bucket) => !isGivenUp || us < timeoutUs;
  // Never sent because the most allowed were under way: it would have taken longer than those.
  const dropped = slices.reduce((sum, { measurement: { pace } }) => sum + (pace?.dropped ?? 0), 0);
  if (answered.count + waits.count + dropped === 0) return null;
  const { steps, beyond, quantile } = survival(answered.buckets.filter(counts), [
    ...waits.buckets,
    ...answered.buckets.filter((bucket) => !counts(bucket)),
    ...(dropped > 0 ? [[answered.most, dropped] as const] : []),
  ]);
  // From the middle of each bucket, as HdrHistogram does it.
  const expected = (value: (us: number) => number) => {
    return steps.reduce((sum, { time, share }) => sum + share * value(middleOf(time)), 0);
  };
  const beyondUs = dropped > 0 ? Math.max(longestUs, answered.most) : longestUs;
  const meanUs = expected((us) => us) + beyond * beyondUs;
  const time = (kind: Time['kind'], us: number): Time => ({ kind, ns: us * NS_PER_US });
  const timeOf = (share: number) => {
    const us = quantile(share);
    return us === null ? time('above', beyondUs) : time('known', us);
  };
  return {
    /** A lower bound if some took longer than the longest wait: as if they had taken no longer than that. */
    mean: time(beyond > 0 ? 'above' : 'known', meanUs),
    /** Standard deviation, ns; null if some took longer than all observed times, since it has no bound then. */
    deviation: beyond > 0 ? null : Math.sqrt(expected((us) => (us - meanUs) ** 2)) * NS_PER_US,
    min: timeOf(0),
    p2_5: timeOf(0.025),
    p50: timeOf(0.5),
    p75: timeOf(0.75),
    p95: timeOf(0.95),
    p97_5: timeOf(0.975),
    p99: timeOf(0.99),
    max: timeOf(1),
    /** From the median on. */
    tail: TAIL.map((share) => ({ share, time: timeOf(share) })),
    /** Of the answered requests alone, as if there were no others; the mean is 0 without any. */
    survivors: { count: answered.count, meanNs: answered.mean * NS_PER_US },
  };
}

/** How many requests were still without an answer when a slice's window closed; null if that was not recorded. */
export function inFlightAtClose({ measurement: { agesHistograms } }: Slice): number | null {
  return agesHistograms === null ? null : pooled([agesHistograms.inFlight]).count;
}

/** How long requests without an answer had waited. */
function waitsOf(slices: readonly Slice[], { kind, method, timeoutNs }: Censoring): Times {
  // Windows opened together with the load, so that all that was in flight at their end had been sent inside them; an
  // open loop tallies by planned times, and all that is in flight was planned inside the window.
  const isFromTheStart = method === 'contiguous' || kind === 'open';
  const buckets = slices.flatMap(({ measurement: { agesHistograms: ages, window } }) => {
    if (ages === null) {
      return [bucketOf(timeoutNs / NS_PER_US, window.timedOut + window.disconnected)];
    }
    return pooled(isFromTheStart ? [ages.lost, ages.inFlight] : [ages.lost]).buckets;
  });
  return new Times(buckets.filter(([, count]) => count > 0));
}

/**
 * The most requests planned in a slice that may leave, or be dropped, more than a millisecond late, as a share. The
 * latency of slices with more is left out, if there are others.
 */
export const LATE_SHARE = 0.01;

/**
 * Whether the generator kept to the plan of an open loop in a slice; if not, the slice's latency is the generator's. A
 * slow server loses no slice by it. Closed loops have no plan, and a generator that can't tell is taken to keep it.
 */
export function isOnSchedule({ measurement: { pace } }: Slice): boolean {
  if (pace === null || pace.lateness === null) return true;
  const { late, histogram } = pace.lateness;
  // Every planned request; in older records, and in those of k6, every request sent.
  return late <= LATE_SHARE * pooled([histogram]).count;
}

/** The slices in which the generator was on schedule as far as it can tell; all of them if that is known of none. */
export function onScheduleOf(slices: readonly Slice[]): readonly Slice[] {
  const isKnown = (slice: Slice) => slice.measurement.pace?.lateness != null && isOnSchedule(slice);
  return slices.some(isKnown) ? slices.filter(isOnSchedule) : slices;
}
