import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { claimSections } from '../../src/report/sections/claims.ts';
import { type Outcome, summarizeClaims } from '../../src/summary/claims.ts';
import { perRuntime } from '../../src/targets/copies.ts';
import { judgementSchema, type Test } from '../../src/workload/declaration.ts';
import { shown } from '../report/look.ts';
import { type Happened, makeRecord, makeTarget } from '../support/make-record.ts';
import { NEW, OLD } from '../support/make-runtimes.ts';
import { summaryOf } from '../support/summaries.ts';

const TARGETS = ['slow', 'fast', 'other'].map((name) => makeTarget(name));

/** One claim about targets under the published load, to which this happens. */
function claimOf(
  asked: Test,
  { comparisons = [], ...judged }: Partial<z.input<typeof judgementSchema>>,
  happens: (target: string) => Happened,
  targets = TARGETS,
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
  return summarizeClaims(summaryOf(record), judgements).claims[0];
}

const COST = { id: 'cost', figure: 'cpu', of: 'slow', over: 'fast' } as const;
const FIVE_TIMES: Test = { compare: 'cost', expect: [4.5, 5.5] };
const NEAR = { ...COST, id: 'near', of: 'other' };
const costing = (target: string) => ({ cpuUsPerResponse: { slow: 50, other: 12 }[target] ?? 10 });

const FAILS: Test = { compare: 'cost', expect: 'less' };
const NEEDS: Test = { needs: '8 cores' };
const effect = (id: string, other: string): Test => ({ effect: id, greaterThan: other });

test.each<[string, Test, Outcome]>([
  ['an effect is greater if its ratio is farther from 1', effect('cost', 'near'), 'holds'],
  ['it is not if its ratio is nearer', effect('near', 'cost'), 'does not hold'],
  ['it can not be told of the same one', effect('near', 'near'), "can't tell"],
  ['of several tests all have to hold', { all: [FIVE_TIMES, FIVE_TIMES] }, 'holds'],
  ['one that was not measured counts', { all: [FIVE_TIMES, NEEDS] }, 'not measured'],
  ['one that does not hold decides', { all: [NEEDS, FAILS] }, 'does not hold'],
])('%s', (_, asked, outcome) => {
  expect(claimOf(asked, { comparisons: [COST, NEAR] }, costing)?.outcome).toBe(outcome);
});

const EIGHT = { ...COST, id: 'eight', cores: 8 };
const ABSENT = { ...COST, id: 'absent', of: 'nobody' };
test.each<[Test, reason: string | null]>([
  [NEEDS, 'it needs 8 cores'],
  [{ compare: 'eight', expect: 'more' }, 'it needs 8 cores'],
  [{ compare: 'absent', expect: 'more' }, null],
  [effect('absent', 'cost'), null],
  [effect('cost', 'absent'), null],
])('what was not measured has a reason, unless it was left out: %j', (asked, reason) => {
  const found = claimOf(asked, { comparisons: [COST, EIGHT, ABSENT] }, costing);
  expect(found).toMatchObject({ outcome: 'not measured', reason });
});

test.each<[string, number, Outcome]>([
  ['holds only on one', 50, 'only on Node 22.1.0'],
  ['holds on both', 10, 'holds'],
])('a claim is judged on each of several runtimes: it %s', (_, newerUs, outcome) => {
  const targets = perRuntime(TARGETS, [OLD, NEW]);
  const happens = (target: string) => {
    const fastUs = target.endsWith('22.1.0') ? 10 : newerUs;
    return { cpuUsPerResponse: target.startsWith('slow') ? 50 : fastUs };
  };
  const found = claimOf(FIVE_TIMES, { comparisons: [COST] }, happens, targets);
  expect(found?.outcome).toBe(outcome);
  expect(found?.rows.map(({ runtime }) => runtime?.version)).toEqual(['22.1.0', '24.1.0']);
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

test('there is no table of claims if the run judges none', () => {
  const record = makeRecord({ targets: TARGETS }, () => ({ ok: 1000 }));
  const compared = { figure: 'cpu', load: 'published', over: 'fast' };
  const judgements = judgementSchema.parse({
    comparisons: [
      { id: 'measured', ...compared, of: 'slow' },
      { id: 'absent', ...compared, of: 'nobody' },
    ],
    claims: [
      { label: 'absent', claim: 'more', test: { compare: 'absent', expect: 'more' } },
      { label: 'elsewhere', claim: 'less', test: { needs: 'a Mac' } },
    ],
  });
  const sections = claimSections(summarizeClaims(summaryOf(record), judgements));
  const text = sections.map((section) => shown(section)).join('');
  expect(text).not.toContain('claim');
  expect(text).toContain('Not measured in this run: absent; elsewhere.');
});
