import { expect, test } from 'vitest';
import type { z } from 'zod';
import { PACKAGES } from '../../src/base/places.ts';
import type { RunRecord } from '../../src/record/record.ts';
import { type JudgedRun, publishedDocument } from '../../src/report/published-report.ts';
import { claimSections } from '../../src/report/sections/claims.ts';
import { type Outcome, summarizeClaims } from '../../src/summary/claims.ts';
import { readPublished } from '../../src/summary/published.ts';
import { perRuntime } from '../../src/targets/copies.ts';
import { readTargets } from '../../src/targets/targets.ts';
import { comparisonsOf, judgementSchema, type Test } from '../../src/workload/declaration.ts';
import { shown } from '../report/look.ts';
import { type Happened, makeRecord, makeTarget } from '../support/make-record.ts';
import { NEW, OLD } from '../support/make-runtimes.ts';
import { summaryOf } from '../support/summaries.ts';

type Judgements = z.input<typeof judgementSchema>;

const COST = { id: 'cost', figure: 'cpu', load: 'published', of: 'slow', over: 'fast' } as const;
const COMPARISONS: Judgements['comparisons'] = [
  { ...COST, published: 4.9 },
  { ...COST, id: 'near', of: 'other' },
  { ...COST, id: 'eight', cores: 8, published: 3.1 },
  { ...COST, id: 'absent', of: 'nobody' },
  { ...COST, id: 'requests', figure: 'throughput', of: 'fast', over: 'slow' },
];
const CLAIM = { label: 'five times', claim: 'It is five times', because: 'it does more' };
const TARGETS = ['slow', 'fast', 'other'].map((name) => makeTarget(name));
const costing = (target: string) => ({ cpuUsPerResponse: { slow: 50, other: 12 }[target] ?? 10 });

function judged(name: string, record: RunRecord, judgements: Judgements): JudgedRun {
  const table = summarizeClaims(summaryOf(record), judgementSchema.parse(judgements));
  return { name, record, table };
}

interface Asked extends Pick<Judgements, 'published'> {
  name?: string;
  happens?: (target: string) => Happened;
  targets?: typeof TARGETS;
  launches?: number;
}

/** A run of these targets, to which this happens, with one claim. */
function runOf(asked: Test, { happens = costing, name = 'mine', ...parts }: Asked = {}): JudgedRun {
  const { targets = TARGETS, launches = 3 } = parts;
  const { published = { source: 'An article', machine: 'a laptop' } } = parts;
  const command = ['workload', './mine', '--seed', '7'];
  const record = makeRecord({ targets, command, options: { launches } }, ({ target }, launch) => {
    const { cpuUsPerResponse = 10, ...more } = happens(target);
    return { ok: 1000, ...more, cpuUsPerResponse: cpuUsPerResponse * (1 + launch / 1000) };
  });
  const claims = [{ ...CLAIM, test: asked }];
  return judged(name, record, { published, comparisons: COMPARISONS, claims });
}

const claimOf = (...asked: Parameters<typeof runOf>) => runOf(...asked).table.claims[0];

const FIVE_TIMES: Test = { compare: 'cost', expect: [4.5, 5.5] };
const MORE: Test = { compare: 'eight', expect: 'more' };
const ABSENT: Test = { compare: 'absent', expect: 'more' };

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
  expect(claimOf(asked)?.outcome).toBe(outcome);
});

test.each<[Test, reason: string | null]>([
  [NEEDS, 'it needs 8 cores'],
  [effect('absent', 'cost'), null],
  [effect('cost', 'absent'), null],
])('what was not measured has a reason, unless it was left out: %j', (asked, reason) => {
  expect(claimOf(asked)).toMatchObject({ outcome: 'not measured', reason });
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
  const found = claimOf(FIVE_TIMES, { happens, targets });
  expect(found?.outcome).toBe(outcome);
  expect(found?.rows.map(({ runtime }) => runtime?.version)).toEqual(['22.1.0', '24.1.0']);
});

const happens = (target: string): Happened => {
  if (target === 'slow') return { cpuUsPerResponse: 50 };
  return { ok: 2000, turns: { all: 30_000, empty: 29_900, idleNs: 23_322_000 } };
};
const within = (...range: [number, number]): Test => ({ compare: 'requests', expect: range });

test('of a server that the generator kept from answering more it is not said that it answers fewer than that', () => {
  const outcomeOf = (asked: Test) => claimOf(asked, { happens })?.outcome;
  expect(outcomeOf(within(4.5, 5.5))).toBe("can't tell");
  expect(outcomeOf(within(0, 1.5))).toBe('does not hold');
});

test('of a server that the generator kept from answering more another figure decides, the first that is known', () => {
  const asked: Test = { first: [within(4.5, 5.5), FIVE_TIMES] };
  const found = claimOf(asked, { happens });
  expect(found).toMatchObject({ outcome: 'holds', isByOther: true });
  expect(found?.rows.map(({ declared }) => declared.id)).toEqual(['cost']);
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
    return claimOf({ value: 'it', expect: [low, high] }, { published, happens: () => happened })
      ?.outcome;
  };
  expect(outcomeOf({ ok: 993, timedOut: 7 })).toBe('holds');
  expect(outcomeOf({ ok: 1000 })).toBe('does not hold');
});

test('there is no table of claims if the run judges none', () => {
  const record = makeRecord({ targets: TARGETS }, () => ({ ok: 1000 }));
  const claims = [
    { label: 'absent', claim: 'more', test: ABSENT },
    { label: 'elsewhere', claim: 'less', test: NEEDS },
  ];
  const { table } = judged('mine', record, { comparisons: COMPARISONS, claims });
  const text = claimSections(table)
    .map((section) => shown(section))
    .join('');
  expect(text).not.toContain('claim');
  expect(text).toContain('Not measured in this run: absent; elsewhere.');
});

/** The page's only section, as text. */
function textOf(...runs: JudgedRun[]): string {
  const [section, ...others] = publishedDocument(runs)?.sections ?? [];
  expect(others).toEqual([]);
  return section ? shown(section).replaceAll(/ +/g, ' ') : '';
}

const unsettled = (target: string) => ({ ...costing(target), hasSettled: false });

test.each<[JudgedRun[], ...parts: string[]]>([
  [
    [runOf(FIVE_TIMES)],
    ...['4.90', '5.00 [', 'holds', 'mine', ' 3 ', './mine --seed 7'],
    ...['Published: An article, on a laptop.', 'five times: “It is five times”: it does more.'],
  ],
  [[runOf(MORE)], '3.10 – not measured', 'it needs 8 cores'],
  [[runOf(ABSENT)], 'not measured', 'no run measured it'],
  [[runOf({ compare: 'cost', expect: [0, 5] })], 'the interval reaches both sides'],
  [[runOf(FIVE_TIMES, { launches: 1 })], 'too few launches for an interval'],
  [[runOf(FIVE_TIMES, { happens: unsettled })], 'UNSETTLED: '],
  [[runOf(FIVE_TIMES), runOf(FIVE_TIMES, { name: 'again' })], 'mine', 'again'],
])('a claim is shown with its runs, figures, outcome and reason: %#', (runs, ...parts) => {
  const text = textOf(...runs);
  for (const part of parts) expect(text).toContain(part);
});

test('of a claim that only one of two runs measured, only that run has a row', () => {
  const text = textOf(runOf(MORE, { name: 'without' }), runOf(FIVE_TIMES, { name: 'with' }));
  expect(text).toContain('holds with');
  expect(text).not.toContain('without');
  expect(text.match(/“It is five times”/g)).toHaveLength(1);
});

test('the runs of the newest revision that measured a claim are shown, and the page names those without a row', () => {
  type Git = RunRecord['machine']['git'];
  const by = (name: string, month: string, git: Git, asked = FIVE_TIMES): JudgedRun => {
    const { record, ...run } = runOf(asked, { name });
    const machine = { ...record.machine, git };
    return { ...run, record: { ...record, startedAt: `2026-${month}-01T00:00:00Z`, machine } };
  };
  const old = { revision: '0123456789abcdef', dirty: false };
  const fresh = { revision: 'fedcba9876543210', dirty: false };
  const introOf = (...runs: JudgedRun[]) => publishedDocument(runs)?.intro.slice(1);
  const runs = [
    ...[by('first', '02', fresh), by('second', '03', fresh), by('older', '01', old)],
    // It measured nothing of the claim.
    by('newest', '04', { ...old, dirty: true }, MORE),
  ];
  expect(textOf(...runs).match(/ (first|second|older|newest) /g)).toEqual([' first ', ' second ']);
  expect(introOf(...runs)).toEqual([
    'Measured by overhead fedcba987654.',
    'Runs without a row: older and newest.',
  ]);
  const other = by('other', '05', { ...old, dirty: true });
  const claims = other.table.claims.map((claim) => ({ ...claim, label: 'another claim' }));
  expect(introOf(...runs.slice(0, 2), { ...other, table: { ...other.table, claims } })).toEqual([
    'Measured by overhead fedcba987654; 0123456789ab, changed.',
  ]);
  expect(introOf(by('unknown', '01', null))).toEqual([]);
});

test('a run that judges nothing is left out, and without any there is no page', () => {
  const record = makeRecord({}, () => ({ ok: 1000 }));
  expect(publishedDocument([])).toBeNull();
  expect(publishedDocument([judged('tax', record, {})])).toBeNull();
});

test.each(['frameworks', 'cluster'] as const)(
  'what was published about %s has a source, and targets and comparisons that are here',
  (suite) => {
    const { comparisons, claims, published } = readPublished(suite);
    expect(published?.source).toMatch(/\w{5}/);
    expect(published?.machine).toMatch(/\w{3}/);
    expect(comparisons).not.toEqual([]);
    const sides = comparisons.flatMap(({ of, over }) => [of, over]);
    const compared = sides.map((side) => (typeof side === 'string' ? side : side.target));
    expect(readTargets(PACKAGES).map(({ name }) => name)).toEqual(expect.arrayContaining(compared));
    const judging = claims.flatMap(({ test: each }) => comparisonsOf(each));
    expect(comparisons.map(({ id }) => id)).toEqual(expect.arrayContaining(judging));
  },
);
