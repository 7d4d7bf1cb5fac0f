import * as hdr from 'hdr-histogram-js';
import type { Slice } from './record.ts';

/** Latency of answered requests, ns. */
export interface Latency {
  mean: number;
  deviation: number;
  p2_5: number;
  p50: number;
  p97_5: number;
  p99: number;
  max: number;
}

const NS_PER_US = 1000;

/** The latency of all requests answered in these slices' windows; null when there were none. */
export function latencyOf(slices: Slice[]): Latency | null {
  const [first, ...others] = slices.map(({ measurement }) =>
    hdr.decodeFromCompressedBase64(measurement.latencyHistogram),
  );
  if (first === undefined) return null;
  for (const other of others) first.add(other);
  if (first.totalCount === 0) return null;
  const percentile = (share: number) => first.getValueAtPercentile(share) * NS_PER_US;
  return {
    mean: first.mean * NS_PER_US,
    deviation: first.stdDeviation * NS_PER_US,
    p2_5: percentile(2.5),
    p50: percentile(50),
    p97_5: percentile(97.5),
    p99: percentile(99),
    max: first.maxValue * NS_PER_US,
  };
}
