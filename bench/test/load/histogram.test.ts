import { expect, test } from 'vitest';
import { fromQuantiles } from '../../src/load/histogram.ts';

/** The middles of 1,000 equal parts of the times from 0 to this, evenly spread, ns. */
const evenly = (mostNs: number) => {
  return Array.from({ length: 1000 }, (_, index) => ((index + 0.5) / 1000) * mostNs);
};

test.each([0, 1, 2, 7, 999, 1000, 1001, 123_456])('quantiles stand for %d times', (count) => {
  expect(fromQuantiles(count, evenly(1e9), 1e9).totalCount).toBe(count);
});

test.each([100, 1000, 100_000])('of %d times, quantiles come out as they went in', (count) => {
  const histogram = fromQuantiles(count, evenly(1e9), 1e9);
  for (const percent of [5, 50, 90, 99]) {
    const exactUs = percent * 1e4;
    expect(Math.abs(histogram.getValueAtPercentile(percent) - exactUs)).toBeLessThan(
      1e6 / count + 2000,
    );
  }
});

test('the largest time is there once', () => {
  const histogram = fromQuantiles(10_000, evenly(1e9), 60e9);
  expect(histogram.maxValue).toBeGreaterThan(59.9e6);
  expect(histogram.getValueAtPercentile(99.98)).toBeLessThan(1.01e6);
});
