import { describe, expect, test } from 'vitest';
import { type ClaimTable, type Outcome, summarizeClaims } from '../../src/summary/claims.ts';
import { summarize } from '../../src/summary/summary.ts';
import {
  type DeclaredComparison,
  type Test,
  workloadSchema,
} from '../../src/workload/declaration.ts';
import { COSTS, type Costs, makeBoardRecord } from '../support/make-board-record.ts';
import { ownWorkload } from '../support/own-workloads.ts';

const AT = { figure: 'cpu', role: 'total', load: 'latest-10' } as const;
const FIBER_OVER_ELYSIA = { ...AT, id: 'fiber', of: 'fiber-latest', over: 'elysia-latest' };
const SAME = { ...AT, id: 'same', of: 'fiber-latest', over: 'fiber-prepared-latest' };
const WIDEST = {
  ...({ id: 'cores', figure: 'throughput', load: 'latest-10' } as const),
  of: { target: 'fiber-2024-latest', topology: 'widest' },
  over: { target: 'fiber-2024-latest', topology: 'single' },
};

type Story = Parameters<typeof makeBoardRecord>[0];

/** What becomes of claims about the board, by these comparisons. */
function claimsOf(
  tests: Test[],
  comparisons: Partial<DeclaredComparison>[],
  story: Story = {},
): ClaimTable {
  const declared = workloadSchema.parse({
    ...ownWorkload('board'),
    comparisons,
    claims: tests.map((each) => ({ label: 'so', claim: 'it is so', test: each })),
  });
  const record = makeBoardRecord({ options: { connections: 10 }, ...story });
  return summarizeClaims(record, summarize(record).conditions, declared);
}

const outcomes = (...asked: Parameters<typeof claimsOf>) => {
  return claimsOf(...asked).claims.map(({ outcome }) => outcome);
};

const fiber = (costs: Costs[string]): Story => ({ costs: { ...COSTS, fiber: costs } });
const SPOILED = { ok: 10, latenciesMs: [1], wrongBody: 3 };
const UNTOLD: Outcome[] = ["can't tell", "can't tell", "can't tell"];

test.each<[string, Story, Outcome[]]>([
  ['it is less', {}, ['does not hold', 'holds', 'does not hold']],
  ['it is more', fiber([8, 2]), ['holds', 'does not hold', 'does not hold']],
  ['it is the same', fiber([4, 2]), ['does not hold', 'does not hold', 'holds']],
  [
    'chance may have done it',
    { vary: (name, launch) => (name === 'fiber' ? 1 + launch : 1) },
    UNTOLD,
  ],
  ['a flag spoils the figure', { change: (happened) => ({ ...happened, ...SPOILED }) }, UNTOLD],
])(
  'that one is more than another, less, or the same, goes by the verdict: %s',
  (_, story, found) => {
    const tests = (['more', 'less', 'same'] as const).map((expected): Test => {
      return { compare: 'fiber', expect: expected };
    });
    expect(outcomes(tests, [FIBER_OVER_ELYSIA], story)).toEqual(found);
  },
);

test('a range holds where the whole interval is in it', () => {
  const ranges: [number, number, Outcome][] = [
    [0.5, 0.7, 'holds'],
    [0.7, 0.9, 'does not hold'],
    [0, 0.59, 'does not hold'],
    [0.606, 0.7, "can't tell"],
  ];
  const tests = ranges.map(([low, high]): Test => ({ compare: 'fiber', expect: [low, high] }));
  const vary = (name: string, launch: number) => (name === 'fiber' ? 1 + launch / 100 : 1);
  const found = ranges.map(([, , outcome]) => outcome);
  expect(outcomes(tests, [FIBER_OVER_ELYSIA], { vary })).toEqual(found);
});

test('an effect is greater where its ratio is further from 1, whichever way', () => {
  const tests: Test[] = [
    { effect: 'fiber', greaterThan: 'same' },
    { effect: 'same', greaterThan: 'fiber' },
    { effect: 'same', greaterThan: 'same' },
  ];
  const found = ['holds', 'does not hold', "can't tell"];
  expect(outcomes(tests, [FIBER_OVER_ELYSIA, SAME])).toEqual(found);
});

test('of several tests one that does not hold decides, then one that was not measured', () => {
  const holds: Test = { compare: 'fiber', expect: 'less' };
  const fails: Test = { compare: 'fiber', expect: 'more' };
  const needs: Test = { needs: '8 cores' };
  const tests = [{ all: [holds, holds] }, { all: [holds, needs] }, { all: [needs, fails] }];
  const found = ['holds', 'not measured', 'does not hold'];
  expect(outcomes(tests, [FIBER_OVER_ELYSIA])).toEqual(found);
});

describe('what was not measured', () => {
  const eight = { ...FIBER_OVER_ELYSIA, id: 'eight', cores: 8 };
  const other = { ...FIBER_OVER_ELYSIA, id: 'other', of: 'nobody' };
  const notBoth = 'not both sides of "other" were measured';
  test.each<[Test, Partial<DeclaredComparison>[], reason: string]>([
    [{ needs: '8 cores' }, [], 'it needs 8 cores'],
    [{ compare: 'eight', expect: 'more' }, [eight], 'it needs 8 cores'],
    [{ compare: 'other', expect: 'more' }, [other], notBoth],
    [{ effect: 'other', greaterThan: 'fiber' }, [other, FIBER_OVER_ELYSIA], notBoth],
    [{ effect: 'fiber', greaterThan: 'other' }, [other, FIBER_OVER_ELYSIA], notBoth],
  ])('is said, with the reason: %j', (asked, comparisons, reason) => {
    expect(claimsOf([asked], comparisons).claims).toMatchObject([
      { outcome: 'not measured', reason },
    ]);
  });
});

test('the widest topology is the one with the most processes', () => {
  const [found] = claimsOf([], [WIDEST]).comparisons;
  expect(found?.comparison).toMatchObject({
    ...{ ratio: { value: expect.closeTo(2, 1) }, verdict: 'faster' },
  });
  expect(found?.of.topology.processes).toBe(4);
});

test('published values stand beside those measured, in base units', () => {
  const found = claimsOf([], []).values.find(({ place, figure }) => {
    return place.summary.target.name === 'elysia-2024-home' && figure === 'peak memory';
  });
  expect(found).toMatchObject({ published: 99.5, measured: { value: 105e6 } });
});
