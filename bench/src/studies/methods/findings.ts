import { mean, sampleStandardDeviation } from 'simple-statistics';
import { spreadRatio } from '../../math/spreads.ts';
import type { Estimate } from '../../math/statistics.ts';
import type { HeadlineName } from '../../plan/loads.ts';
import { HEADLINES, RATIO_NAMES, type RatioName } from './ratios.ts';
import type { MethodMeasurement, MethodsRecord } from './record.ts';
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
  /** The spread of the classic method over that of the sliced one. */
  narrower: Estimate;
}

export interface MethodsFindings {
  /** Of each method that has measured something; the mean of what its measurements took, ns. */
  methods: { method: Method; wallNs: number }[];
  /** The ratios of each headline that was looked at. */
  headlines: { headline: HeadlineName; ratios: RatioFindings[] }[];
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
    headlines: HEADLINES.flatMap((headline) => {
      const ratios = RATIO_NAMES.map((ratio) => compareRatio(measurements, headline, ratio));
      return ratios.every(({ found }) => found.length === 0) ? [] : [{ headline, ratios }];
    }),
  };
}

function compareRatio(
  measurements: MethodMeasurement[],
  headline: HeadlineName,
  ratio: RatioName,
): RatioFindings {
  const valuesOf = (method: Method) => {
    const own = measurements.filter((each) => each.method === method);
    return own.flatMap(({ ratios }) => ratios[headline]?.[ratio] ?? []);
  };
  const found = METHODS.map((method) => {
    const values = valuesOf(method);
    return { method, values, spread: spreadOf(values) };
  });
  const logs = (method: Method) => valuesOf(method).map(Math.log);
  return {
    ratio,
    found: found.filter(({ values }) => values.length > 0),
    narrower: spreadRatio(logs('classic'), logs('sliced')),
  };
}

function spreadOf(values: number[]): number | null {
  return values.length < 2 ? null : sampleStandardDeviation(values.map(Math.log));
}
