import { describe, expect, test } from 'vitest';
import { type ClaimTable, summarizeClaims } from '../../src/summary/claims.ts';
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

const costs = (changes: Costs): Costs => ({ ...COSTS, ...changes });

describe('a claim that one is more than another', () => {
  const tests: Test[] = [
    { compare: 'fiber', expect: 'more' },
    { compare: 'fiber', expect: 'less' },
    { compare: 'fiber', expect: 'same' },
  ];

  test('holds by the verdict', () => {
    expect(outcomes(tests, [FIBER_OVER_ELYSIA])).toEqual([
      'does not hold',
      'holds',
      'does not hold',
    ]);
    const dearer = { costs: costs({ fiber: [8, 2] }) };
    expect(outcomes(tests, [FIBER_OVER_ELYSIA], dearer)).toEqual([
      'holds',
      'does not hold',
      'does not hold',
    ]);
    const alike = { costs: costs({ fiber: [4, 2] }) };
    expect(outcomes(tests, [FIBER_OVER_ELYSIA], alike)).toEqual([
      'does not hold',
      'does not hold',
      'holds',
    ]);
  });

  test("can't be told where chance may have done it", () => {
    const vary = (name: string, launch: number) => (name === 'fiber' ? 1 + launch : 1);
    expect(new Set(outcomes(tests, [FIBER_OVER_ELYSIA], { vary }))).toEqual(
      new Set(["can't tell"]),
    );
  });

  test("can't be told where a flag spoils the figure", () => {
    const change = (happened: object) => ({ ...happened, ok: 10, latenciesMs: [1], wrongBody: 3 });
    expect(outcomes(tests, [FIBER_OVER_ELYSIA], { change })).toEqual(tests.map(() => "can't tell"));
  });
});

test('a range holds where the whole interval is in it', () => {
  const within = (low: number, high: number): Test => ({ compare: 'fiber', expect: [low, high] });
  const tests = [within(0.5, 0.7), within(0.7, 0.9), within(0, 0.59)];
  const vary = (name: string, launch: number) => (name === 'fiber' ? 1 + launch / 100 : 1);
  expect(outcomes(tests, [FIBER_OVER_ELYSIA], { vary })).toEqual([
    'holds',
    'does not hold',
    'does not hold',
  ]);
  expect(outcomes([within(0.606, 0.7)], [FIBER_OVER_ELYSIA], { vary })).toEqual(["can't tell"]);
});

test('an effect is greater where its ratio is further from 1, whichever way', () => {
  const tests: Test[] = [
    { effect: 'fiber', greaterThan: 'same' },
    { effect: 'same', greaterThan: 'fiber' },
    { effect: 'same', greaterThan: 'same' },
  ];
  expect(outcomes(tests, [FIBER_OVER_ELYSIA, SAME])).toEqual([
    'holds',
    'does not hold',
    "can't tell",
  ]);
});

test('of several tests one that does not hold decides, then one that was not measured', () => {
  const holds: Test = { compare: 'fiber', expect: 'less' };
  const fails: Test = { compare: 'fiber', expect: 'more' };
  const needs: Test = { needs: '8 cores' };
  expect(
    outcomes(
      [{ all: [holds, holds] }, { all: [holds, needs] }, { all: [needs, fails] }],
      [FIBER_OVER_ELYSIA],
    ),
  ).toEqual(['holds', 'not measured', 'does not hold']);
});

describe('what was not measured', () => {
  test('is what takes more cores than there are', () => {
    const eight = { ...FIBER_OVER_ELYSIA, id: 'eight', cores: 8 };
    const { claims, comparisons } = claimsOf([{ compare: 'eight', expect: 'more' }], [eight]);
    expect(comparisons).toEqual([]);
    expect(claims).toMatchObject([{ outcome: 'not measured', reason: 'it needs 8 cores' }]);
  });

  test('is said, with the reason', () => {
    const { claims } = claimsOf(
      [{ needs: '8 cores' }, { compare: 'other', expect: 'more' }],
      [{ ...FIBER_OVER_ELYSIA, id: 'other', of: 'nobody' }],
    );
    expect(claims).toMatchObject([
      { outcome: 'not measured', reason: 'it needs 8 cores', rows: [] },
      { outcome: 'not measured', reason: 'not both sides of "other" were measured', rows: [] },
    ]);
  });
});

test('the widest topology is the one with the most processes', () => {
  const cores = {
    ...({ id: 'cores', figure: 'throughput', load: 'latest-10' } as const),
    of: { target: 'fiber-latest', topology: 'widest' },
    over: { target: 'fiber-latest', topology: 'single' },
  };
  const { comparisons } = claimsOf([], [cores]);
  expect(comparisons[0]?.comparison).toMatchObject({
    ratio: { value: expect.closeTo(2, 1) },
    verdict: 'faster',
  });
  expect(comparisons[0]?.of.topology.processes).toBe(4);
});

test('published values stand beside those measured, in base units', () => {
  const { values } = claimsOf([], []);
  expect(
    values.find(({ place, figure }) => {
      return place.summary.target.name === 'elysia-home' && figure === 'peak memory';
    }),
  ).toMatchObject({ published: 99.5, measured: { value: 105e6 } });
});
