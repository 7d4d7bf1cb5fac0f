import { expect, test } from 'vitest';
import { compareMethods } from '../../../src/studies/methods/findings.ts';
import type { Ratios } from '../../../src/studies/methods/ratios.ts';
import { makeMethodsRecord } from './make-methods-record.ts';

/** The same value for each ratio. */
function all(value: number): Ratios {
  return { expressToFastify: value, fastifyTwins: value, expressTwins: value };
}

test('the spread is the standard deviation of the logarithm', () => {
  const values = [1, Math.exp(0.02), Math.exp(0.04)];
  const record = makeMethodsRecord(3, (_method, repeat) => {
    return { wallS: 75, ratios: all(values[repeat] ?? 0) };
  });
  for (const { found } of compareMethods(record).ratios) {
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
    const ratios = {
      expressToFastify: log(0.1, 0.01),
      fastifyTwins: log(0.05, 0.01),
      expressTwins: log(0.01, 0.02),
    };
    return { wallS: 75, ratios };
  });
  expect(compareMethods(record).ratios).toMatchObject([
    { ratio: 'expressToFastify', narrower: expect.closeTo(10) },
    { ratio: 'fastifyTwins', narrower: expect.closeTo(5) },
    { ratio: 'expressTwins', narrower: expect.closeTo(0.5) },
  ]);
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
  for (const { found, narrower } of compareMethods(record).ratios) {
    expect(found.map(({ spread }) => spread)).toEqual([null, null]);
    expect(narrower).toBeNull();
  }
});

test('repeats that agree exactly are not infinitely narrower', () => {
  const record = makeMethodsRecord(2, (method, repeat) => {
    return { wallS: 75, ratios: all(method === 'sliced' ? 1 : 1 + repeat / 10) };
  });
  expect(compareMethods(record).ratios.map(({ narrower }) => narrower)).toEqual([null, null, null]);
});

test('of a run that was ended early there is what was measured', () => {
  const ended = makeMethodsRecord(2, (method) => {
    return method === 'classic' ? { wallS: 75, ratios: all(1) } : null;
  });
  const { methods, ratios } = compareMethods(ended);
  expect(methods.map(({ method }) => method)).toEqual(['classic']);
  for (const { found, narrower } of ratios) {
    expect(found.map(({ values }) => values)).toEqual([[1, 1]]);
    expect(narrower).toBeNull();
  }
  const nothing = compareMethods(makeMethodsRecord(2, () => null));
  expect(nothing.methods).toEqual([]);
  expect(nothing.ratios.flatMap(({ found }) => found)).toEqual([]);
});
