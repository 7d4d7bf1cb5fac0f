import { expect, test } from 'vitest';
import type { HeadlineName } from '../../../src/plan/loads.ts';
import { compareMethods } from '../../../src/studies/methods/findings.ts';
import { type MethodsRecord, methodsRecordSchema } from '../../../src/studies/methods/record.ts';
import { NONE } from '../../support/estimates.ts';
import { present } from '../../support/summaries.ts';
import { makeMethodsRecord } from './make-methods-record.ts';

/** One value for each ratio, or the same for all. */
function each<T>(first: T, second = first, third = second) {
  return { expressToFastify: first, fastifyTwins: second, expressTwins: third };
}

function ratiosOf(record: MethodsRecord, headline: HeadlineName = 'throughput') {
  const found = compareMethods(record).headlines.find((each) => each.headline === headline);
  return present(found, headline).ratios;
}

test('the spread is the standard deviation of the logarithm', () => {
  const values = [1, Math.exp(0.02), Math.exp(0.04)];
  const record = makeMethodsRecord(3, (_method, repeat) => {
    return { wallS: 75, ratios: { cpu: each(1), throughput: each(values[repeat] ?? 0) } };
  });
  const spread = expect.closeTo(0.02, 10);
  for (const { found } of ratiosOf(record)) {
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

test('a record with a ratio of 0 is refused', () => {
  const ratios = { cpu: each(1), throughput: each(1.01, 0, 0.99) };
  const record = makeMethodsRecord(2, () => ({ wallS: 75, ratios }));
  const { error } = methodsRecordSchema.safeParse(record);
  const path = ['measurements', 0, 'ratios', 'throughput', 'fastifyTwins'];
  expect(error?.issues[0]).toMatchObject({ code: 'too_small', path });
});
