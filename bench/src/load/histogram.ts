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
