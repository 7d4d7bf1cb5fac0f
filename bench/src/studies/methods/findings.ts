import { mean, sampleStandardDeviation } from 'simple-statistics';
import { RATIO_NAMES, type RatioName } from './ratios.ts';
import type { MethodsRecord } from './record.ts';
import { METHODS, type Method } from './run-options.ts';

/** What one method found for a ratio, in the order of its repeats. */
export interface Found {
  method: Method;
  values: number[];
  /** The standard deviation of the ratio's natural logarithm; null for a single repeat. */
  spread: number | null;
}

export interface RatioFindings {
  ratio: RatioName;
  /** Of each method that has measured something. */
  found: Found[];
  /** The spread of the classic method over that of the sliced one; null where either is not known. */
  narrower: number | null;
}

export interface MethodsFindings {
  /** Of each method that has measured something; the mean of what its measurements took, ns. */
  methods: { method: Method; wallNs: number }[];
  ratios: RatioFindings[];
}

/** How far apart the repeats of each method are. */
export function compareMethods({ measurements }: MethodsRecord): MethodsFindings {
  const done = METHODS.flatMap((method) => {
    const own = measurements.filter((each) => each.method === method);
    return own.length === 0 ? [] : [{ method, own }];
  });
  return {
    methods: done.map(({ method, own }) => {
      return { method, wallNs: mean(own.map(({ wallNs }) => wallNs)) };
    }),
    ratios: RATIO_NAMES.map((ratio) => {
      const found = done.map(({ method, own }) => {
        const values = own.map(({ ratios }) => ratios[ratio]);
        return { method, values, spread: spreadOf(values) };
      });
      return { ratio, found, narrower: narrowerOf(found) };
    }),
  };
}

function spreadOf(values: number[]): number | null {
  return values.length < 2 ? null : sampleStandardDeviation(values.map(Math.log));
}

function narrowerOf(found: Found[]): number | null {
  const spread = (method: Method) => found.find((each) => each.method === method)?.spread ?? null;
  const [classic, sliced] = [spread('classic'), spread('sliced')];
  return classic === null || sliced === null || sliced === 0 ? null : classic / sliced;
}
