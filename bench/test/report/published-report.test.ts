import { expect, test } from 'vitest';
import type { RunRecord } from '../../src/record/record.ts';
import { type JudgedRun, publishedDocument } from '../../src/report/published-report.ts';
import { summarizeClaims } from '../../src/summary/claims.ts';
import { judgementSchema, type Test } from '../../src/workload/declaration.ts';
import { type Happened, makeRecord, makeTarget } from '../support/make-record.ts';
import { summaryOf } from '../support/summaries.ts';
import * as golden from './golden-records.ts';
import { shown } from './look.ts';

const COST = { id: 'cost', figure: 'cpu', load: 'published', of: 'slow', over: 'fast' } as const;
const FIVE: Test = { compare: 'cost', expect: [4.5, 5.5] };
const MORE: Test = { compare: 'eight', expect: 'more' };

type Git = RunRecord['machine']['git'];

function judged(name: string, record: RunRecord, judgements: unknown): JudgedRun {
  const table = summarizeClaims(summaryOf(record), judgementSchema.parse(judgements));
  return { name, record, table };
}

/** A run in which a request to one server takes five times what it takes the other, and what is claimed of that. */
function runOf(asked: Test, happened: Happened = {}, launches = 3, name = 'mine'): JudgedRun {
  const targets = ['slow', 'fast'].map((each) => makeTarget(each));
  const record = makeRecord({ targets, options: { launches } }, ({ target }, launch) => {
    const cpuUsPerResponse = (target === 'slow' ? 50 : 10) * (1 + launch / 1000);
    return { ok: 1000, cpuUsPerResponse, ...happened };
  });
  const claim = { label: 'five times', claim: 'It is five times', because: 'it does more' };
  return judged(
    name,
    { ...record, command: ['workload', './mine', '--seed', '7'] },
    {
      published: { source: 'An article', machine: 'a laptop' },
      comparisons: [
        { ...COST, published: 4.9 },
        { ...COST, id: 'eight', cores: 8, published: 3.1 },
      ],
      claims: [{ ...claim, test: asked }],
    },
  );
}

/** The page's only section, as text. */
function textOf(...runs: JudgedRun[]): string {
  const [section, ...others] = publishedDocument(runs)?.sections ?? [];
  expect(others).toEqual([]);
  return section ? shown(section).replaceAll(/ +/g, ' ') : '';
}

test.each<[JudgedRun[], ...parts: string[]]>([
  [
    [runOf(FIVE)],
    ...['4.90', '5.00 [', 'holds', 'mine', ' 3 ', './mine --seed 7'],
    ...['Published: An article, on a laptop.', 'five times: “It is five times”: it does more.'],
  ],
  [[runOf(MORE)], '3.10 – not measured', 'it needs 8 cores'],
  [[runOf({ compare: 'absent', expect: 'more' })], 'not measured', 'no run measured it'],
  [[runOf({ compare: 'cost', expect: [0, 5] })], 'the interval reaches both sides'],
  [[runOf(FIVE, {}, 1)], 'too few launches for an interval'],
  [[runOf(FIVE, { hasSettled: false })], 'UNSETTLED: '],
  [[runOf(FIVE), runOf(FIVE, {}, 3, 'again')], 'mine', 'again'],
])('a claim is shown with its runs, figures, outcome and reason: %#', (runs, ...parts) => {
  const text = textOf(...runs);
  for (const part of parts) expect(text).toContain(part);
});

test('of a claim that only one of two runs measured, only that run has a row', () => {
  const text = textOf(runOf(MORE, {}, 3, 'without'), runOf(FIVE, {}, 3, 'with'));
  expect(text).toContain('holds with');
  expect(text).not.toContain('without');
  expect(text.match(/“It is five times”/g)).toHaveLength(1);
});

test('the runs of the newest revision that measured a claim are shown, and the page names those without a row', () => {
  const by = (name: string, startedAt: string, git: Git, asked = FIVE): JudgedRun => {
    const { record, ...run } = runOf(asked, {}, 3, name);
    return { ...run, record: { ...record, startedAt, machine: { ...record.machine, git } } };
  };
  const [old, fresh] = ['0123456789abcdef', 'fedcba9876543210'];
  const introOf = (...runs: JudgedRun[]) => publishedDocument(runs)?.intro.slice(1);
  const runs = [
    by('first', '2026-02-01T00:00:00Z', { revision: fresh, dirty: false }),
    by('second', '2026-03-01T00:00:00Z', { revision: fresh, dirty: false }),
    by('older', '2026-01-01T00:00:00Z', { revision: old, dirty: false }),
    // It measured nothing of the claim.
    by('newest', '2026-04-01T00:00:00Z', { revision: old, dirty: true }, MORE),
  ];
  expect(textOf(...runs).match(/ (first|second|older|newest) /g)).toEqual([' first ', ' second ']);
  expect(introOf(...runs)).toEqual([
    'Measured by overhead fedcba987654.',
    'Runs without a row: older and newest.',
  ]);
  const other = by('other', '2026-05-01T00:00:00Z', { revision: old, dirty: true });
  const claims = other.table.claims.map((claim) => ({ ...claim, label: 'another claim' }));
  expect(introOf(...runs.slice(0, 2), { ...other, table: { ...other.table, claims } })).toEqual([
    'Measured by overhead fedcba987654; 0123456789ab, changed.',
  ]);
  expect(introOf(by('unknown', '2026-01-01T00:00:00Z', null))).toEqual([]);
});

test('a run that judges nothing is left out, and without any there is no page', () => {
  expect(publishedDocument([])).toBeNull();
  expect(publishedDocument([judged('tax', golden.tax(), {})])).toBeNull();
});
