import fc from 'fast-check';
import * as hdr from 'hdr-histogram-js';
import { expect } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { bucketOf, lowestOf, middleOf, pooled } from '../../src/figures/times.ts';
import { encode, newHistogram } from '../../src/load/tally.ts';
import { garbled, property, unless } from '../support/random.ts';

const us = fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 3.6e9 }));
const times = fc.array(fc.tuple(us, fc.integer({ min: 1, max: 1e6 })), { maxLength: 12 });

function histogramOf(counts: [us: number, count: number][]): hdr.Histogram {
  const histogram = newHistogram();
  for (const [time, count] of counts) histogram.recordValueWithCount(time, count);
  return histogram;
}

property('times are what HdrHistogram makes of them', times, (counts) => {
  const histogram = histogramOf(counts);
  const found = pooled([encode(histogram)]);
  expect(found.count).toBe(histogram.totalCount);
  expect(found.mean).toBeCloseTo(histogram.mean, 6);
  for (const percent of [0.1, 50, 99, 100]) {
    expect(found.quantile(percent / 100)).toBe(histogram.getValueAtPercentile(percent));
  }
  if (!(histogram instanceof hdr.JsHistogram)) throw new Error('a histogram of another kind');
  for (const [time] of counts) {
    expect(bucketOf(time, 1)[0]).toBe(histogram.highestEquivalentValue(time));
    expect(lowestOf(time)).toBe(histogram.lowestEquivalentValue(time));
    expect(middleOf(time)).toBe(histogram.medianEquivalentValue(time));
  }
});

property('pooled times are all of them', fc.tuple(times, times), ([some, others]) => {
  const bucketsOf = (...all: (typeof some)[]) => {
    return pooled(all.map((counts) => encode(histogramOf(counts)))).buckets;
  };
  expect(bucketsOf(some, others)).toEqual(bucketsOf([...some, ...others]));
});

const texts = garbled(times.map((counts) => encode(histogramOf(counts))));
property('any other text is times, or refused', texts, (text) => {
  const found = unless(UserError, () => pooled([text]));
  for (const [time, count] of found?.buckets ?? []) expect(time * count).toBeGreaterThan(0);
});
