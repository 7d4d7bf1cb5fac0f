import { expect, test } from 'vitest';
import type { HeadlineName } from '../../../src/plan/loads.ts';
import { compareMethods } from '../../../src/studies/methods/findings.ts';
import { type MethodsRecord, methodsRecordSchema } from '../../../src/studies/methods/record.ts';
import type { Method } from '../../../src/studies/methods/run-options.ts';
import { NONE } from '../../support/estimates.ts';
import { makeMethodsRecord } from './make-methods-record.ts';

/** One value for each ratio, or the same for all. */
function each<T>(first: T, second = first, third = second) {
  return { expressToFastify: first, fastifyTwins: second, expressTwins: third };
}

/** All ratios of requests/s have this value, those of CPU per request its inverse. */
function recordOf(repeats: number, value: (method: Method, repeat: number) => number | null) {
  return makeMethodsRecord(repeats, (method, repeat) => {
    const found = value(method, repeat);
    if (found === null) return null;
    const wallS = (method === 'classic' ? 70 : 80) + repeat * 2;
    return { wallS, ratios: { cpu: each(1 / found), throughput: each(found) } };
  });
}

const ONCE = recordOf(1, () => 1.1);
const TWICE = recordOf(2, () => 1);
const ENDED_EARLY = recordOf(2, (method) => (method === 'classic' ? 1 : null));

function ratiosOf(record: MethodsRecord, headline: HeadlineName = 'throughput') {
  const found = compareMethods(record).headlines.find((each) => each.headline === headline);
  if (found === undefined || found.ratios.length === 0) {
    throw new Error(`there are no ratios of ${headline}`);
  }
  return found.ratios;
}

test('the spread is the standard deviation of the logarithm', () => {
  const values = [1, Math.exp(0.02), Math.exp(0.04)];
  const spread = expect.closeTo(0.02, 10);
  for (const { found } of ratiosOf(recordOf(3, (_method, repeat) => values[repeat] ?? 0))) {
    expect(found).toEqual([
      { method: 'classic', values, spread },
      { method: 'sliced', values, spread },
    ]);
  }
});

test('each ratio has how many times narrower the sliced method is', () => {
  const record = makeMethodsRecord(2, (method, repeat) => {
    const log = (classic: number, sliced: number) => {
      return Math.exp(repeat * (method === 'classic' ? classic : sliced));
    };
    const throughput = each(log(0.1, 0.01), log(0.05, 0.01), log(0.01, 0.02));
    return { wallS: 75, ratios: { cpu: each(log(0.03, 0.01), 1), throughput } };
  });
  // √F(0.975; 1, 1)
  const either = Math.sqrt(647.789);
  const times = (value: number) => ({
    kind: 'interval',
    value: expect.closeTo(value),
    low: expect.closeTo(value / either, 4),
    high: expect.closeTo(value * either, 1),
  });
  const narrowerOf = (headline: HeadlineName) => {
    const ratios = ratiosOf(record, headline);
    return Object.fromEntries(ratios.map(({ ratio, narrower }) => [ratio, narrower]));
  };
  expect(narrowerOf('throughput')).toEqual(each(times(10), times(5), times(0.5)));
  expect(narrowerOf('cpu')).toEqual(each<object>(times(3), NONE));
});

test('the headline comes first, and what was not measured is left out', () => {
  const headlines = (record: MethodsRecord) => {
    return compareMethods(record).headlines.map(({ headline }) => headline);
  };
  expect(headlines(TWICE)).toEqual(['cpu', 'throughput']);
  const ratios = { cpu: null, throughput: each(1) };
  expect(headlines(makeMethodsRecord(2, () => ({ wallS: 75, ratios })))).toEqual(['throughput']);
});

test('a record with a ratio of 0 is refused', () => {
  const ratios = { cpu: null, throughput: each(1.01, 0, 0.99) };
  const { error } = methodsRecordSchema.safeParse(
    makeMethodsRecord(2, () => ({ wallS: 75, ratios })),
  );
  const path = ['measurements', 0, 'ratios', 'throughput', 'fastifyTwins'];
  expect(error?.issues[0]).toMatchObject({ code: 'too_small', path });
});

test('the wall time is the mean over the repeats of a method', () => {
  expect(compareMethods(TWICE).methods).toEqual([
    { method: 'classic', wallNs: 71e9 },
    { method: 'sliced', wallNs: 81e9 },
  ]);
});

test.each([
  ['of a single repeat', ONCE],
  ['of a method that never differs', recordOf(2, (how, at) => (how === 'sliced' ? 1 : 1 + at))],
  ['of a run that was ended early', ENDED_EARLY],
])('there is no ratio of spreads %s', (_, record) => {
  for (const { narrower } of ratiosOf(record)) expect(narrower).toEqual(NONE);
});

test('a single repeat has no spread, and a run that was ended early what was measured', () => {
  for (const { found } of ratiosOf(ONCE)) {
    expect(found.map(({ spread }) => spread)).toEqual([null, null]);
  }
  expect(compareMethods(ENDED_EARLY).methods.map(({ method }) => method)).toEqual(['classic']);
  for (const { found } of ratiosOf(ENDED_EARLY)) expect(found).toMatchObject([{ values: [1, 1] }]);
  expect(compareMethods(recordOf(2, () => null))).toEqual({ methods: [], headlines: [] });
});
