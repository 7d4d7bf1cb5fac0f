import * as hdr from 'hdr-histogram-js';

/** An hour in µs, the longest time that a histogram holds. */
const LONGEST_US = 3.6e9;

/** A histogram of times in µs, with three digits. */
export function newHistogram(): hdr.Histogram {
  return hdr.build({ highestTrackableValue: LONGEST_US, numberOfSignificantValueDigits: 3 });
}

/** Puts a time into a histogram. */
export function record(histogram: hdr.Histogram, ns: number): void {
  histogram.recordValue(microseconds(ns));
}

/** A time as histograms hold it: a whole one, no shorter and no longer than they can. */
function microseconds(ns: number): number {
  return Math.min(LONGEST_US, Math.max(1, Math.round(ns / 1000)));
}

/** A histogram as measurements hold it: compressed, base64. */
export const encode = hdr.encodeIntoCompressedBase64;

/**
 * A histogram of so many times of which only the largest is known, ns, and quantiles: the middles of
 * as many equal parts of the distribution.
 */
export function fromQuantiles(count: number, quantiles: number[], largest: number): hdr.Histogram {
  const histogram = newHistogram();
  if (count === 0) return histogram;
  const upTo = (part: number) => Math.round(((count - 1) * part) / quantiles.length);
  for (const [part, ns] of quantiles.entries()) {
    const times = upTo(part + 1) - upTo(part);
    if (times > 0) histogram.recordValueWithCount(microseconds(ns), times);
  }
  record(histogram, largest);
  return histogram;
}
