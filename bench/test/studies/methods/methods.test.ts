/** The study of methods: what each measures, the ratios of a run, and how far apart those of several runs are. */
import { describe, expect, test } from 'vitest';
import type { HeadlineName } from '../../../src/plan/loads.ts';
import type { Failure } from '../../../src/record/record.ts';
import { compareMethods } from '../../../src/studies/methods/findings.ts';
import {
  HEADLINES,
  type MethodsRecord,
  methodsRecordSchema,
  ratiosOf,
} from '../../../src/studies/methods/record.ts';
import { METHODS, type Method, methodOptions } from '../../../src/studies/methods/run-options.ts';
import { NONE } from '../../support/estimates.ts';
import { failuresOf } from '../../support/failures.ts';
import {
  makeOptions,
  makeRecord,
  makeTarget,
  planOf,
  type Story,
} from '../../support/make-record.ts';
import { present } from '../../support/summaries.ts';
import { makeMethodsRecord } from './make-methods-record.ts';

/** Requests in each slice of 1 s. */
const OK: Record<string, number> = {
  ...{ 'express-a': 30_000, 'express-b': 29_400, 'fastify-a': 50_000, 'fastify-b': 51_000 },
};
const okOf = (target: string) => OK[target] ?? 0;
const NAMES = Object.keys(OK);
const TARGETS = NAMES.map((name) => makeTarget(name));

function optionsOf(method: Method, wallS = 75, seed = 1) {
  return methodOptions(makeOptions(), method, wallS, seed);
}

function planFor(...asked: Parameters<typeof optionsOf>) {
  return planOf(optionsOf(...asked), { targets: TARGETS });
}

function ordersOf(method: Method, seed: number): string[] {
  const { launches } = planFor(method, 75, seed);
  return launches.flat().flatMap(({ rounds }) => rounds.map((order) => order.join()));
}

test.each(METHODS)('the %s method loads four single processes with the cost load', (method) => {
  const { cells, loads, probes } = planFor(method);
  expect(loads).toMatchObject([{ connections: 100, pipelining: 10 }]);
  expect(cells.map(({ server }) => server)).toEqual(NAMES.map((name) => `${name}/single`));
  expect(probes).toEqual([]);
});

test('the classic method measures each server once, without interruption, and without a warm-up', () => {
  const plan = planFor('classic');
  expect(plan).toMatchObject({ rounds: 1, warmup: { kind: 'none' } });
  expect(plan.loads).toMatchObject([{ method: 'contiguous' }]);
  expect(plan.launches).toHaveLength(1);
  expect(plan.groups.map((cells) => cells.length)).toEqual([1, 1, 1, 1]);
  // In order, whatever the seed.
  const inOrder = NAMES.map((name) => `${name}/single/custom`);
  for (const seed of [1, 2, 3]) expect(ordersOf('classic', seed)).toEqual(inOrder);
});

test('the classic method has all the wall time but the four starts', () => {
  const spent = (wallS: number) => wallS - 4 * optionsOf('classic', wallS).durationS;
  expect(spent(75)).toBeGreaterThan(1);
  for (const wallS of [8, 300]) expect(spent(wallS)).toBeCloseTo(spent(75));
});

test('the sliced method keeps all servers alive together, and deals slices in a random order', () => {
  expect(planFor('sliced').groups.map((cells) => cells.length)).toEqual([4]);
  expect(ordersOf('sliced', 1)).not.toEqual(ordersOf('sliced', 2));
});

test('the sliced method has as many launches as fit', () => {
  const counts = [8, 15, 75, 300].map((wallS) => planFor('sliced', wallS).launches.length);
  expect(counts).toEqual([1, 1, 6, 23]);
});

const WALL_S = [8, 9, 15, 19, 20, 40, 75, 300];
test.each(WALL_S)('a sliced run fills its %d s, with rounds of about 0.3 s', (wallS) => {
  const { launches, rounds, warmup, loads } = planFor('sliced', wallS);
  expect(rounds).toBeGreaterThanOrEqual(2);
  // One slice a launch.
  expect(loads).toMatchObject([{ everyNthRound: rounds }]);
  const sliceNs = loads[0]?.sliceNs ?? Number.NaN;
  expect(sliceNs / rounds / 1e9).toBeGreaterThan(0.2);
  expect(sliceNs / rounds / 1e9).toBeLessThan(0.4);
  if (warmup.kind !== 'settled') throw new Error(`the warm-up is ${warmup.kind}`);
  const warmupS = warmup.capNs / 1e9 + 0.2;
  const launchS = 2.75 + 4 * (warmupS + sliceNs / 1e9 + rounds * 0.08);
  expect(launches.length * launchS).toBeCloseTo(wallS);
});

/** The ratios, or their inverse. */
const expected = (power: 1 | -1) => {
  const [express, fastify, twins] = [0.6, 1.02, 0.98].map((each) =>
    expect.closeTo(each ** power, 6),
  );
  return { expressToFastify: express, fastifyTwins: fastify, expressTwins: twins };
};

function recordOf(method: Method, story: Story, failures: Failure[] = []) {
  return makeRecord({ options: optionsOf(method), targets: TARGETS, failures }, story);
}

describe.each(METHODS)('a %s run', (method) => {
  test('has ratios of requests/s', () => {
    const record = recordOf(method, ({ target }) => ({ ok: okOf(target) * 2, windowS: 2 }));
    expect(ratiosOf(record, 'throughput')).toEqual(expected(1));
  });

  test('has ratios of CPU per request, however many requests there were', () => {
    const record = recordOf(method, ({ target }, launch) => {
      return { ok: okOf(target) * (1 + launch), cpuUsPerResponse: 1e6 / okOf(target) };
    });
    expect(ratiosOf(record, 'cpu')).toEqual(expected(-1));
  });
});

test.each(HEADLINES)('a run without one of the servers has no ratios of %s', (headline) => {
  const story: Story = ({ target }) => ({ ok: okOf(target) });
  expect(ratiosOf(recordOf('sliced', story), headline)).not.toBeNull();
  const failed = failuresOf('express-b/single', [0, 1, 2, 3, 4, 5]);
  expect(ratiosOf(recordOf('sliced', story, failed), headline)).toBeNull();
  const silent: Story = ({ target }) => ({ ok: target === 'fastify-b' ? 0 : okOf(target) });
  expect(ratiosOf(recordOf('classic', silent), headline)).toBeNull();
});

/** One value for each ratio, or the same for all. */
function each<T>(first: T, second = first, third = second) {
  return { expressToFastify: first, fastifyTwins: second, expressTwins: third };
}

function comparedIn(record: MethodsRecord, headline: HeadlineName = 'throughput') {
  const found = compareMethods(record).headlines.find((each) => each.headline === headline);
  return present(found, headline).ratios;
}

test('the spread is the standard deviation of the logarithm', () => {
  const values = [1, Math.exp(0.02), Math.exp(0.04)];
  const record = makeMethodsRecord(3, (_method, repeat) => {
    return { wallS: 75, ratios: { cpu: each(1), throughput: each(values[repeat] ?? 0) } };
  });
  const spread = expect.closeTo(0.02, 10);
  for (const { found } of comparedIn(record)) {
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
    const ratios = comparedIn(record, headline);
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
