import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../src/record/record.ts';
import type { Section } from '../../src/report/document.ts';
import { runDocument } from '../../src/report/run-report.ts';
import { suiteOf } from '../../src/suites/index.ts';
import { RECORDS } from '../report/golden-records.ts';
import { makeTruthRecord } from '../studies/truth/make-truth-record.ts';
import { TRIES_ALL } from '../support/random.ts';
import { summaryOf } from '../support/summaries.ts';

const KINDS = Object.entries({ ...RECORDS, truth: makeTruthRecord });

const FAR = { share: 1e-6, maxTimeNs: 1e9 };

/** What else can become of a run of which flags may be told. */
const ENDINGS: [ending: string, end: (record: RunRecord) => RunRecord][] = [
  ['that went well', (record) => record],
  ['that got to nothing', (record) => ({ ...record, state: 'interrupted', slices: [] })],
  ['that got wrong answers', (record) => ({ ...record, slices: record.slices.map(wrong) })],
  ['whose servers died', (record) => ({ ...record, failures: died(record) })],
  ['that was to know much more', (record) => ({ ...record, plan: { ...record.plan, until: FAR } })],
];

function wrong(slice: RunRecord['slices'][number]): RunRecord['slices'][number] {
  const { window, ...rest } = slice.measurement;
  return { ...slice, measurement: { ...rest, window: { ...window, wrongBody: 1 } } };
}

function died({ plan }: RunRecord): RunRecord['failures'] {
  const [first, , ...others] = new Set(plan.cells.map(({ server }) => server));
  return [first ?? '', ...others.slice(0, 1)].map((server) => {
    return { server, launch: 1, when: 'slice', message: 'gone', logTail: [], died: true };
  });
}

function sectionsOf(record: RunRecord, details = false): Section[] {
  return suiteOf(record).show(summaryOf(record), { details });
}

/** The codes of which a table of this section has a letter. */
function lettered({ blocks }: Section): string[] {
  const letters = blocks.flatMap((block) => {
    if (block.kind !== 'table') return [];
    const at = block.columns.findIndex(({ head }) => head === 'flags');
    const texts = at === -1 ? [] : block.rows.map((row) => row[at] ?? '');
    return texts.flatMap((text) => (typeof text === 'string' ? text.split(' ') : []));
  });
  return blocks.flatMap((block) => {
    if (block.kind !== 'footnotes') return [];
    return block.notes.filter(({ letter }) => letters.includes(letter)).map(({ code }) => code);
  });
}

/** The sections whose heading begins so. */
function headed(sections: Section[], begin: string): Section[] {
  return sections.filter(({ blocks: [heading] }) => {
    return heading?.kind === 'heading' && heading.text.startsWith(begin);
  });
}

/** The codes that a report explains. */
function explained(sections: Section[]): string[] {
  const blocks = headed(sections, 'What the flags mean').flatMap((section) => section.blocks);
  return blocks.flatMap((block) => (block.kind === 'definition' ? [block.term] : []));
}

describe.each(KINDS)('a run of %s', (kind, make) => {
  const row = KINDS.findIndex(([each]) => each === kind);
  // Of some endings each, unless all are tried.
  const endings = ENDINGS.filter((_, column) => TRIES_ALL || (row + column) % ENDINGS.length === 0);

  test.each(endings)(
    '%s explains the flags with a letter in some table, and no others',
    (_, end) => {
      const record = end(make());
      const depth = { details: true, explain: false };
      const { sections } = runDocument(summaryOf(record), sectionsOf(record, true), depth);
      expect(explained(sections)).toEqual([...new Set(sections.flatMap(lettered))].toSorted());
    },
  );

  test('shows every condition once more where details are asked for', () => {
    const record = make();
    const detailsOf = (details: boolean) => headed(sectionsOf(record, details), 'Details: ');
    expect(detailsOf(false)).toEqual([]);
    expect(detailsOf(true)).toHaveLength(summaryOf(record).conditions.length);
  });
});

test('there are flags among these runs', () => {
  expect(KINDS.flatMap(([, make]) => sectionsOf(make()).flatMap(lettered))).not.toEqual([]);
});

test('no kind of run is found by a name that no records of runs have', () => {
  const other = { suite: 'methods', workload: null };
  expect(() => suiteOf(other)).toThrow('no kind of run is named "methods"');
});
