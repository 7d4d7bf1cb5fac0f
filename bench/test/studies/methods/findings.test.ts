import { expect, test } from 'vitest';
import type { HeadlineName } from '../../../src/plan/loads.ts';
import { compareMethods, type RatioFindings } from '../../../src/studies/methods/findings.ts';
import type { Ratios } from '../../../src/studies/methods/ratios.ts';
import type { MethodsRecord } from '../../../src/studies/methods/record.ts';
import { makeMethodsRecord } from './make-methods-record.ts';

/** The same value for each ratio. */
function each(value: number): Ratios {
  return { expressToFastify: value, fastifyTwins: value, expressTwins: value };
}

/** The same value for each ratio of requests/s, and its inverse for each of CPU per request. */
function all(value: number) {
  return { cpu: each(1 / value), throughput: each(value) };
}

function ratiosOf(record: MethodsRecord, headline: HeadlineName): RatioFindings[] {
  const found = compareMethods(record).headlines.find((each) => each.headline === headline);
  if (found === undefined || found.ratios.length === 0)
    throw new Error(`nothing was found of ${headline}`);
  return found.ratios;
}

test('the spread is the standard deviation of the logarithm', () => {
  const values = [1, Math.exp(0.02), Math.exp(0.04)];
  const record = makeMethodsRecord(3, (_method, repeat) => {
    return { wallS: 75, ratios: all(values[repeat] ?? 0) };
  });
  for (const { found } of ratiosOf(record, 'throughput')) {
    expect(found.map(({ method }) => method)).toEqual(['classic', 'sliced']);
    for (const each of found) {
      expect(each.values).toEqual(values);
      expect(each.spread).toBeCloseTo(0.02, 10);
    }
  }
});

test('each ratio says how many times narrower the sliced way is', () => {
  const record = makeMethodsRecord(2, (method, repeat) => {
    const log = (classic: number, sliced: number) => {
      return Math.exp(repeat * (method === 'classic' ? classic : sliced));
    };
    const throughput = {
      expressToFastify: log(0.1, 0.01),
      fastifyTwins: log(0.05, 0.01),
      expressTwins: log(0.01, 0.02),
    };
    const cpu = { ...each(1), expressToFastify: log(0.03, 0.01) };
    return { wallS: 75, ratios: { cpu, throughput } };
  });
  // √F(0.975; 1, 1)
  const either = Math.sqrt(647.789);
  const times = (value: number) => ({
    kind: 'interval',
    value: expect.closeTo(value),
    low: expect.closeTo(value / either, 4),
    high: expect.closeTo(value * either, 1),
  });
  expect(ratiosOf(record, 'throughput')).toMatchObject([
    { ratio: 'expressToFastify', narrower: times(10) },
    { ratio: 'fastifyTwins', narrower: times(5) },
    { ratio: 'expressTwins', narrower: times(0.5) },
  ]);
  expect(ratiosOf(record, 'cpu')).toMatchObject([
    { ratio: 'expressToFastify', narrower: times(3) },
    { ratio: 'fastifyTwins', narrower: { kind: 'none' } },
    { ratio: 'expressTwins', narrower: { kind: 'none' } },
  ]);
});

test('the headline goes first, and what nobody looked at is left out', () => {
  const headlines = (record: MethodsRecord) => {
    return compareMethods(record).headlines.map(({ headline }) => headline);
  };
  const looked = makeMethodsRecord(2, () => ({ wallS: 75, ratios: all(1) }));
  expect(headlines(looked)).toEqual(['cpu', 'throughput']);
  const ratios = { cpu: null, throughput: each(1) };
  expect(headlines(makeMethodsRecord(2, () => ({ wallS: 75, ratios })))).toEqual(['throughput']);
});

test('the wall time is the mean over the repeats of a method', () => {
  const record = makeMethodsRecord(2, (method, repeat) => {
    return { wallS: (method === 'classic' ? 70 : 80) + repeat * 2, ratios: all(1) };
  });
  expect(compareMethods(record).methods).toEqual([
    { method: 'classic', wallNs: 71e9 },
    { method: 'sliced', wallNs: 81e9 },
  ]);
});

test('a single repeat has no spread', () => {
  const record = makeMethodsRecord(1, () => ({ wallS: 75, ratios: all(1.1) }));
  for (const { found, narrower } of ratiosOf(record, 'throughput')) {
    expect(found.map(({ spread }) => spread)).toEqual([null, null]);
    expect(narrower).toEqual({ kind: 'none' });
  }
});

test('repeats that agree exactly are not infinitely narrower', () => {
  const record = makeMethodsRecord(2, (method, repeat) => {
    return { wallS: 75, ratios: all(method === 'sliced' ? 1 : 1 + repeat / 10) };
  });
  for (const { narrower } of ratiosOf(record, 'throughput')) {
    expect(narrower).toEqual({ kind: 'none' });
  }
});

test('of a run that was ended early there is what was measured', () => {
  const ended = makeMethodsRecord(2, (method) => {
    return method === 'classic' ? { wallS: 75, ratios: all(1) } : null;
  });
  expect(compareMethods(ended).methods.map(({ method }) => method)).toEqual(['classic']);
  for (const { found, narrower } of ratiosOf(ended, 'throughput')) {
    expect(found.map(({ values }) => values)).toEqual([[1, 1]]);
    expect(narrower).toEqual({ kind: 'none' });
  }
  const nothing = compareMethods(makeMethodsRecord(2, () => null));
  expect(nothing).toEqual({ methods: [], headlines: [] });
});
