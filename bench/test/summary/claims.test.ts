import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { type ClaimTable, type Outcome, summarizeClaims } from '../../src/summary/claims.ts';
import { summarize } from '../../src/summary/summary.ts';
import {
  type DeclaredComparison,
  type Judgements,
  judgementSchema,
  type Test,
  workloadSchema,
} from '../../src/workload/declaration.ts';
import { COSTS, type Costs, makeBoardRecord } from '../support/make-board-record.ts';
import { type Happened, makeRecord, makeTarget } from '../support/make-record.ts';
import { ownWorkload } from '../support/own-workloads.ts';

const AT = { figure: 'cpu', role: 'total', load: 'latest-10' } as const;
const FIBER_OVER_ELYSIA = { ...AT, id: 'fiber', of: 'fiber-latest', over: 'elysia-latest' };
const SAME = { ...AT, id: 'same', of: 'fiber-latest', over: 'fiber-prepared-latest' };
const WIDEST = {
  ...({ id: 'cores', figure: 'throughput', load: 'latest-10' } as const),
  of: { target: 'fiber-2024-latest', topology: 'widest' },
  over: { target: 'fiber-2024-latest', topology: 'single' },
};

/** Those that are compared here. */
const FEW: Costs = Object.fromEntries(
  ['elysia', 'fiber', 'fiber-prepared', 'elysia-2024', 'fiber-2024'].map((name) => [
    name,
    COSTS[name] ?? [1, 1],
  ]),
);

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
  const options = { connections: 10, durationS: 3 };
  const record = makeBoardRecord({ costs: FEW, options, ...story });
  return summarizeClaims(record, summarize(record).conditions, declared);
}

const outcomes = (...asked: Parameters<typeof claimsOf>) => {
  return claimsOf(...asked).claims.map(({ outcome }) => outcome);
};

const fiber = (costs: Costs[string]): Story => ({ costs: { ...FEW, fiber: costs } });
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
  const found = claimsOf([], []).values.find(({ place, declared }) => {
    return place.summary.target.name === 'elysia-2024-home' && declared.figure === 'peak memory';
  });
  expect(found).toMatchObject({ declared: { value: 99.5 }, measured: { value: 105e6 } });
});

/** What becomes of one claim about two targets under the published load, where this happens to them. */
function claimOf(
  { comparisons = [], ...judged }: { test: Test } & Partial<z.input<typeof judgementSchema>>,
  happens: (target: string) => Happened,
  targets = ['slow', 'fast'].map((name) => makeTarget(name)),
) {
  const { test: asked, ...others } = judged;
  const judgements: Judgements = judgementSchema.parse({
    ...others,
    comparisons: comparisons.map((each) => ({ load: 'published', ...each })),
    claims: [{ label: 'so', claim: 'it is so', test: asked }],
  });
  const record = makeRecord({ targets }, ({ target }, launch) => {
    const { cpuUsPerResponse = 10, ...more } = happens(target);
    return { ok: 1000, ...more, cpuUsPerResponse: cpuUsPerResponse * (1 + launch / 1000) };
  });
  return summarizeClaims(record, summarize(record).conditions, judgements).claims[0];
}

const COST = { id: 'cost', figure: 'cpu', of: 'slow', over: 'fast' } as const;

test.each<[string, number, Outcome]>([
  ['holds only on one', 50, 'only on Node 22.1.0'],
  ['holds on both', 10, 'holds'],
])('of a run on several runtimes a claim is told of each: it %s', (_, newerUs, outcome) => {
  const targets = ['22.1.0', '24.1.0'].flatMap((version) => {
    const runtime = { kind: 'node' as const, version, program: '/node' };
    return ['slow', 'fast'].map((name) => {
      return makeTarget(`${name}@node-${version}`, {
        label: `${name} on Node ${version}`,
        runtime,
      });
    });
  });
  const found = claimOf(
    { comparisons: [COST], test: { compare: 'cost', expect: [4.5, 5.5] } },
    (target) => ({
      cpuUsPerResponse: target.startsWith('slow') ? 50 : target.endsWith('22.1.0') ? 10 : newerUs,
    }),
    targets,
  );
  expect(found?.outcome).toBe(outcome);
  expect(found?.rows.map(({ runtime }) => runtime?.version)).toEqual(['22.1.0', '24.1.0']);
});

describe('of a server that the generator kept from answering more', () => {
  const REQUESTS = { id: 'requests', figure: 'throughput', of: 'fast', over: 'slow' } as const;
  const bound = (target: string): Happened => {
    if (target === 'slow') return { cpuUsPerResponse: 50 };
    return { ok: 2000, turns: { all: 30_000, empty: 29_900, idleNs: 23_322_000 } };
  };
  const within = (low: number, high: number): Test => ({
    compare: 'requests',
    expect: [low, high],
  });

  test('it is not said that it answers fewer than that', () => {
    const outcomeOf = (asked: Test) => {
      return claimOf({ comparisons: [REQUESTS], test: asked }, bound)?.outcome;
    };
    expect(outcomeOf(within(4.5, 5.5))).toBe("can't tell");
    expect(outcomeOf(within(0, 1.5))).toBe('does not hold');
  });

  test('another figure decides, the first that is told', () => {
    const asked: Test = { first: [within(4.5, 5.5), { compare: 'cost', expect: [4.5, 5.5] }] };
    const found = claimOf({ comparisons: [REQUESTS, COST], test: asked }, bound);
    expect(found).toMatchObject({ outcome: 'holds', isByOther: true });
    expect(found?.rows.map(({ declared }) => declared.id)).toEqual(['cost']);
  });
});

test('a value is held against a range in its own unit, totals against as many seconds', () => {
  const value = { target: 'slow', load: 'published' };
  const outcomesOf = (happens: () => Happened) => {
    return [
      { ...value, id: 'share', figure: 'error share' as const, value: 0.7 },
      { ...value, id: 'errors', figure: 'errors' as const, value: 437, inS: 30 },
    ].map((declared) => {
      const published = { source: 'a page', machine: 'a machine', values: [declared] };
      const asked: Test = {
        value: declared.id,
        expect: declared.id === 'share' ? [0.6, 0.8] : [200, 220],
      };
      return claimOf({ published, test: asked }, happens)?.outcome;
    });
  };
  expect(outcomesOf(() => ({ ok: 993, timedOut: 7 }))).toEqual(['holds', 'holds']);
  expect(outcomesOf(() => ({ ok: 1000 }))).toEqual(['does not hold', 'does not hold']);
});

test('of several topologies the first that was measured counts', () => {
  const of = { ...WIDEST.of, topology: ['8', 'widest'] };
  const [found] = claimsOf([], [{ ...WIDEST, of }]).comparisons;
  expect(found?.of.topology.processes).toBe(4);
});
