import fc from 'fast-check';
import * as hdr from 'hdr-histogram-js';
import { expect } from 'vitest';
import { encode, fromQuantiles } from '../../src/load/histogram.ts';
import { property } from '../support/random.ts';

const ns = fc.double({ min: -1e6, max: 1e14, noNaN: true });
const told = fc.record({
  count: fc.nat({ max: 2 ** 31 }),
  quantiles: fc.array(ns, { minLength: 1, maxLength: 20 }),
  largest: ns,
});

property(
  'a distribution of which quantiles are told has as many times as were counted',
  told,
  (each) => {
    const { count, quantiles, largest } = each;
    const made = fromQuantiles(
      count,
      quantiles.toSorted((a, b) => a - b),
      largest,
    );
    expect(made.totalCount).toBe(count);
    expect(hdr.decodeFromCompressedBase64(encode(made)).totalCount).toBe(count);
  },
);
