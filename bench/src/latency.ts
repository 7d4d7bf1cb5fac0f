import * as hdr from 'hdr-histogram-js';
import { TIMEOUT_NS } from './load/protocol.ts';
import type { Slice } from './record.ts';

/** A time, ns; where requests went unanswered perhaps no more than what it is above. */
export type Time = { kind: 'known'; ns: number } | { kind: 'above'; ns: number };

/** Latency of the requests that were answered as declared, timed out or were lost. */
export interface Latency {
  mean: Time;
  /** Standard deviation, ns; null where requests went unanswered, since then it has no bound. */
  deviation: number | null;
  p2_5: Time;
  p50: Time;
  p97_5: Time;
  p99: Time;
  max: Time;
}

const NS_PER_US = 1000;

/** The latencies of all requests answered in these slices' windows, µs; null without a slice. */
export function histogramOf(slices: readonly Slice[]): hdr.Histogram | null {
  const [first, ...others] = slices.map(({ measurement }) =>
    hdr.decodeFromCompressedBase64(measurement.latencyHistogram),
  );
  if (first === undefined) return null;
  for (const other of others) first.add(other);
  return first;
}

/**
 * The latency in these slices' windows; null when no request came to an end. A request that was
 * never answered counts as one that takes longer than the time-out: a quantile that falls among
 * those is only known to be above it, and the mean to be above what it would be if they all took
 * just that long.
 */
export function latencyOf(slices: readonly Slice[]): Latency | null {
  const histogram = histogramOf(slices);
  const unanswered = slices.reduce((sum, { measurement: { window } }) => {
    return sum + window.timedOut + window.disconnected;
  }, 0);
  if (histogram === null || histogram.totalCount + unanswered === 0) return null;
  const answeredNs = histogram.totalCount * histogram.mean * NS_PER_US;
  const deviation = unanswered > 0 ? null : histogram.stdDeviation * NS_PER_US;
  if (unanswered > 0) histogram.recordValueWithCount(TIMEOUT_NS / NS_PER_US, unanswered);
  const mean = (answeredNs + unanswered * TIMEOUT_NS) / histogram.totalCount;
  const time = (us: number): Time => {
    const ns = us * NS_PER_US;
    if (unanswered > 0 && ns >= TIMEOUT_NS) return { kind: 'above', ns: TIMEOUT_NS };
    return { kind: 'known', ns };
  };
  const percentile = (share: number) => time(histogram.getValueAtPercentile(share));
  return {
    mean: { kind: unanswered > 0 ? 'above' : 'known', ns: mean },
    deviation,
    p2_5: percentile(2.5),
    p50: percentile(50),
    p97_5: percentile(97.5),
    p99: percentile(99),
    max: time(histogram.maxValue),
  };
}
