import { expect, test } from 'vitest';
import type { RunRecord } from '../../src/record/record.ts';
import { type JudgedRun, publishedDocument } from '../../src/report/published-report.ts';
import { summarizeClaims } from '../../src/summary/claims.ts';
import { judgementSchema, type Test } from '../../src/workload/declaration.ts';
import { type Happened, makeRecord, makeTarget } from '../support/make-record.ts';
import { summaryOf } from '../support/summaries.ts';
import * as golden from './golden-records.ts';
import { shown } from './look.ts';

const PUBLISHED = { source: 'An article', machine: 'a laptop' };
const COST = { id: 'cost', figure: 'cpu', load: 'published', of: 'slow', over: 'fast' } as const;

/** A run in which a request to one server takes five times what it takes the other, and what is claimed of that. */
function runOf(
  asked: Test,
  { happened = {}, launches = 3 }: { happened?: Happened; launches?: number } = {},
): JudgedRun {
  const targets = ['slow', 'fast'].map((name) => makeTarget(name));
  const record: RunRecord = {
    ...makeRecord({ targets, options: { launches } }, ({ target }, launch) => {
      const cpuUsPerResponse = (target === 'slow' ? 50 : 10) * (1 + launch / 1000);
      return { ok: 1000, cpuUsPerResponse, ...happened };
    }),
    command: ['workload', './mine', '--seed', '7'],
  };
  const judgements = judgementSchema.parse({
    published: PUBLISHED,
    comparisons: [
      { ...COST, published: 4.9 },
      { ...COST, id: 'eight', cores: 8, published: 3.1 },
    ],
    claims: [
      { label: 'five times', claim: 'It is five times', because: 'it does more', test: asked },
    ],
  });
  return {
    name: 'mine',
    record,
    table: summarizeClaims(record, summaryOf(record).conditions, judgements),
  };
}

/** The page's only section, as text. */
function textOf(run: JudgedRun): string {
  const [section, ...others] = publishedDocument([run])?.sections ?? [];
  expect(others).toEqual([]);
  return section ? shown(section) : '';
}

const FIVE: Test = { compare: 'cost', expect: [4.5, 5.5] };

test('a row has the published figure, ours, the outcome, the run and its command; the sentence why is below', () => {
  const text = textOf(runOf(FIVE));
  for (const part of ['4.90', '5.00 [', 'holds', 'mine', ' 3 ', './mine --seed 7']) {
    expect(text).toContain(part);
  }
  expect(text).toContain('Published: An article, on a laptop.');
  expect(text).toContain('five times: “It is five times”: it does more.');
});

test.each<[string, Test, Parameters<typeof runOf>[1], reason: string]>([
  ['needs more', { compare: 'eight', expect: 'more' }, {}, '3.10 – not measured'],
  ['is in between', { compare: 'cost', expect: [0, 5] }, {}, 'the interval reaches both sides'],
  ['was measured once', FIVE, { launches: 1 }, 'one launch has no interval'],
  ['has a flag', FIVE, { happened: { hasSettled: false } }, 'UNSETTLED: '],
])('a claim that %s says so', (_, asked, how, reason) => {
  expect(textOf(runOf(asked, how)).replaceAll(/ +/g, ' ')).toContain(reason);
});

test('a claim that needs more says what', () => {
  expect(textOf(runOf({ compare: 'eight', expect: 'more' }))).toContain('it needs 8 cores');
});

test('runs of one source share a section, each with rows of its own', () => {
  const found = publishedDocument([runOf(FIVE), { ...runOf(FIVE), name: 'again' }]);
  expect(found?.sections).toHaveLength(1);
  const [section] = found?.sections ?? [];
  for (const name of ['mine', 'again']) expect(section && shown(section)).toContain(name);
});

test('a run that judges nothing is left out, and without any there is no page', () => {
  const record = golden.tax();
  const table = summarizeClaims(record, summaryOf(record).conditions, judgementSchema.parse({}));
  expect(publishedDocument([])).toBeNull();
  expect(publishedDocument([{ name: 'tax', record, table }])).toBeNull();
});
