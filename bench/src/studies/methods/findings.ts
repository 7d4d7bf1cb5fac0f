import { mean, sampleStandardDeviation } from 'simple-statistics';
import { spreadRatio } from '../../math/statistics.ts';
import type { HeadlineName } from '../../plan/loads.ts';
import { HEADLINES, type MethodsRecord, RATIO_NAMES, type RatioName } from './record.ts';
import { METHODS, type Method } from './run-options.ts';

export type MethodsFindings = ReturnType<typeof compareMethods>;
export type RatioFindings = ReturnType<typeof compareRatio>;

export function compareMethods({ measurements }: MethodsRecord) {
  return {
    /** Each method that has measured something; the mean of what its measurements took, ns. */
    methods: METHODS.flatMap((method) => {
      const own = measurements.filter((each) => each.method === method);
      return own.length === 0 ? [] : [{ method, wallNs: mean(own.map(({ wallNs }) => wallNs)) }];
    }),
    headlines: HEADLINES.map((headline) => ({
      headline,
      ratios: RATIO_NAMES.map((ratio) => compareRatio(measurements, headline, ratio)),
    })),
  };
}

function compareRatio(
  measurements: MethodsRecord['measurements'],
  headline: HeadlineName,
  ratio: RatioName,
) {
  const valuesOf = (method: Method) => {
    const own = measurements.filter((each) => each.method === method);
    return own.map(({ ratios }) => ratios[headline][ratio]);
  };
  const logsOf = (method: Method) => valuesOf(method).map(Math.log);
  const found = METHODS.flatMap((method) => {
    const values = valuesOf(method);
    /** The standard deviation of the natural logarithm; null for a single repeat. */
    const spread = values.length < 2 ? null : sampleStandardDeviation(logsOf(method));
    return values.length === 0 ? [] : [{ method, values, spread }];
  });
  /** The spread of the classic method over that of the sliced one. */
  const narrower = spreadRatio(logsOf('classic'), logsOf('sliced'));
  return { ratio, found, narrower };
}
