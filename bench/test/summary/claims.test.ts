import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { type Outcome, summarizeClaims } from '../../src/summary/claims.ts';
import {
  type DeclaredComparison,
  judgementSchema,
  type Test,
} from '../../src/workload/declaration.ts';
import { COSTS, type Costs, makeBoardRecord } from '../support/make-board-record.ts';
import { type Happened, makeRecord, makeTarget } from '../support/make-record.ts';
import { ownWorkload } from '../support/own-workloads.ts';
import { summaryOf } from '../support/summaries.ts';

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
  ['elysia', 'fiber', 'fiber-prepared', 'elysia-2024', 'fiber-2024'].map((name) => {
    return [name, COSTS[name] ?? [1, 1]];
  }),
);

type Story = Parameters<typeof makeBoardRecord>[0];
const boardOf = (story: Story = {}) => {
  return makeBoardRecord({ costs: FEW, options: { connections: 10, durationS: 3 }, ...story });
};
const USUAL = boardOf();

/** The claims about the board with these tests, by these comparisons. */
function claimsOf(tests: Test[], comparisons: Partial<DeclaredComparison>[], record = USUAL) {
  const { published } = ownWorkload('board');
  const claims = tests.map((each) => ({ label: 'so', claim: 'it is so', test: each }));
  const judgements = judgementSchema.parse({ comparisons, published, claims });
  return summarizeClaims(record, summaryOf(record).conditions, judgements);
}

const outcomes = (...asked: Parameters<typeof claimsOf>) => {
  return claimsOf(...asked).claims.map(({ outcome }) => outcome);
};

const fiber = (...costs: Costs[string]): Story => ({ costs: { ...FEW, fiber: costs } });
const SPOILED = { ok: 10, latenciesMs: [1], wrongBody: 3 };

test.each<[string, Story, is: 'more' | 'less' | 'same' | null]>([
  ['it is less', {}, 'less'],
  ['it is more', fiber(8, 2), 'more'],
  ['it is the same', fiber(4, 2), 'same'],
  ['it may be chance', { vary: (name, launch) => (name === 'fiber' ? 1 + launch : 1) }, null],
  ['a flag spoils it', { change: (happened) => ({ ...happened, ...SPOILED }) }, null],
])('that one is more than another, less, or the same, goes by the verdict: %s', (_, story, is) => {
  const all = ['more', 'less', 'same'] as const;
  const tests = all.map((expected): Test => ({ compare: 'fiber', expect: expected }));
  const found = all.map((each) => {
    return is === null ? "can't tell" : each === is ? 'holds' : 'does not hold';
  });
  expect(outcomes(tests, [FIBER_OVER_ELYSIA], boardOf(story))).toEqual(found);
});

const VARIED = boardOf({ vary: (name, launch) => (name === 'fiber' ? 1 + launch / 100 : 1) });
test.each<[[number, number], Outcome]>([
  [[0.5, 0.7], 'holds'],
  [[0.7, 0.9], 'does not hold'],
  [[0, 0.59], 'does not hold'],
  [[0.606, 0.7], "can't tell"],
])('a range holds if the whole interval is in it: %j %s', (range, outcome) => {
  const asked: Test = { compare: 'fiber', expect: range };
  expect(outcomes([asked], [FIBER_OVER_ELYSIA], VARIED)).toEqual([outcome]);
});

const HOLDS: Test = { compare: 'fiber', expect: 'less' };
const FAILS: Test = { compare: 'fiber', expect: 'more' };
const NEEDS: Test = { needs: '8 cores' };
const effect = (id: string, other: string): Test => ({ effect: id, greaterThan: other });

test.each<[string, Test, Outcome]>([
  ['an effect is greater if its ratio is farther from 1', effect('fiber', 'same'), 'holds'],
  ['it is not if its ratio is nearer', effect('same', 'fiber'), 'does not hold'],
  ['it can not be told of the same one', effect('same', 'same'), "can't tell"],
  ['of several tests all have to hold', { all: [HOLDS, HOLDS] }, 'holds'],
  ['one that was not measured counts', { all: [HOLDS, NEEDS] }, 'not measured'],
  ['one that does not hold decides', { all: [NEEDS, FAILS] }, 'does not hold'],
])('%s', (_, asked, outcome) => {
  expect(outcomes([asked], [FIBER_OVER_ELYSIA, SAME])).toEqual([outcome]);
});

const EIGHT = { ...FIBER_OVER_ELYSIA, id: 'eight', cores: 8 };
const OTHER = { ...FIBER_OVER_ELYSIA, id: 'other', of: 'nobody' };
test.each<[Test, Partial<DeclaredComparison>[], reason: string | null]>([
  [NEEDS, [], 'it needs 8 cores'],
  [{ compare: 'eight', expect: 'more' }, [EIGHT], 'it needs 8 cores'],
  [{ compare: 'other', expect: 'more' }, [OTHER], null],
  [effect('other', 'fiber'), [OTHER, FIBER_OVER_ELYSIA], null],
  [effect('fiber', 'other'), [OTHER, FIBER_OVER_ELYSIA], null],
])(
  'what was not measured has a reason, unless it was left out: %j',
  (asked, comparisons, reason) => {
    const { claims } = claimsOf([asked], comparisons);
    expect(claims).toMatchObject([{ outcome: 'not measured', reason }]);
  },
);

test.each([
  ['the widest topology is the one with the most processes', 'widest'],
  ['of several topologies the first that was measured counts', ['8', 'widest']],
])('%s', (_, topology) => {
  const [found] = claimsOf([], [{ ...WIDEST, of: { ...WIDEST.of, topology } }]).comparisons;
  const ratio = { value: expect.closeTo(2, 1) };
  expect(found?.comparison).toMatchObject({ ratio, verdict: 'faster' });
  expect(found?.of.topology.processes).toBe(4);
});

/** One claim about two targets under the published load, to which this happens. */
function claimOf(
  asked: Test,
  { comparisons = [], ...judged }: Partial<z.input<typeof judgementSchema>>,
  happens: (target: string) => Happened,
  targets = ['slow', 'fast'].map((name) => makeTarget(name)),
) {
  const judgements = judgementSchema.parse({
    ...judged,
    comparisons: comparisons.map((each) => ({ load: 'published', ...each })),
    claims: [{ label: 'so', claim: 'it is so', test: asked }],
  });
  const record = makeRecord({ targets }, ({ target }, launch) => {
    const { cpuUsPerResponse = 10, ...more } = happens(target);
    return { ok: 1000, ...more, cpuUsPerResponse: cpuUsPerResponse * (1 + launch / 1000) };
  });
  return summarizeClaims(record, summaryOf(record).conditions, judgements).claims[0];
}

const COST = { id: 'cost', figure: 'cpu', of: 'slow', over: 'fast' } as const;
const FIVE_TIMES: Test = { compare: 'cost', expect: [4.5, 5.5] };

test.each<[string, number, Outcome]>([
  ['holds only on one', 50, 'only on Node 22.1.0'],
  ['holds on both', 10, 'holds'],
])('a claim is judged on each of several runtimes: it %s', (_, newerUs, outcome) => {
  const versions = ['22.1.0', '24.1.0'];
  const targets = versions.flatMap((version) => {
    const runtime = { kind: 'node' as const, version, program: '/node' };
    return ['slow', 'fast'].map((name) => {
      const label = `${name} on Node ${version}`;
      return makeTarget(`${name}@node-${version}`, { label, runtime });
    });
  });
  const happens = (target: string) => {
    const fastUs = target.endsWith('22.1.0') ? 10 : newerUs;
    return { cpuUsPerResponse: target.startsWith('slow') ? 50 : fastUs };
  };
  const found = claimOf(FIVE_TIMES, { comparisons: [COST] }, happens, targets);
  expect(found?.outcome).toBe(outcome);
  expect(found?.rows.map(({ runtime }) => runtime?.version)).toEqual(versions);
});

describe('of a server that the generator kept from answering more', () => {
  const REQUESTS = { id: 'requests', figure: 'throughput', of: 'fast', over: 'slow' } as const;
  const bound = (target: string): Happened => {
    if (target === 'slow') return { cpuUsPerResponse: 50 };
    return { ok: 2000, turns: { all: 30_000, empty: 29_900, idleNs: 23_322_000 } };
  };
  const within = (...range: [number, number]): Test => ({ compare: 'requests', expect: range });

  test('it is not said that it answers fewer than that', () => {
    const outcomeOf = (asked: Test) => claimOf(asked, { comparisons: [REQUESTS] }, bound)?.outcome;
    expect(outcomeOf(within(4.5, 5.5))).toBe("can't tell");
    expect(outcomeOf(within(0, 1.5))).toBe('does not hold');
  });

  test('another figure decides, the first that is known', () => {
    const asked: Test = { first: [within(4.5, 5.5), FIVE_TIMES] };
    const found = claimOf(asked, { comparisons: [REQUESTS, COST] }, bound);
    expect(found).toMatchObject({ outcome: 'holds', isByOther: true });
    expect(found?.rows.map(({ declared }) => declared.id)).toEqual(['cost']);
  });
});

test.each([
  { figure: 'error share' as const, value: 0.7, range: [0.6, 0.8] },
  { figure: 'errors' as const, value: 437, inS: 30, range: [200, 220] },
])('a value is compared with a range in its unit, and in its seconds: $figure', (each) => {
  const { range, ...declared } = each;
  const value = { id: 'it', target: 'slow', load: 'published', ...declared };
  const published = { source: 'a page', machine: 'a machine', values: [value] };
  const [low = 0, high = 0] = range;
  const outcomeOf = (happened: Happened) => {
    return claimOf({ value: 'it', expect: [low, high] }, { published }, () => happened)?.outcome;
  };
  expect(outcomeOf({ ok: 993, timedOut: 7 })).toBe('holds');
  expect(outcomeOf({ ok: 1000 })).toBe('does not hold');
});
