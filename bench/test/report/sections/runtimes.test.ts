import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../../src/record/record.ts';
import { runHead } from '../../../src/report/head.ts';
import { runtimeSection } from '../../../src/report/sections/comparisons.ts';
import type { RunOptions } from '../../../src/request/run-options.ts';
import { frameworks } from '../../../src/suites/frameworks.ts';
import { summarizeRuntimes } from '../../../src/summary/comparisons.ts';
import { summarize } from '../../../src/summary/summary.ts';
import { perRuntime } from '../../../src/targets/copies.ts';
import { makeRecord, makeTarget } from '../../support/make-record.ts';
import { BUN, NEW, OLD } from '../../support/make-runtimes.ts';
import { shown } from '../look.ts';
import { rowsOf } from '../rows-of.ts';

const APPS = [
  makeTarget('floor', { label: 'Floor' }),
  makeTarget('app', { label: 'App', over: 'floor' }),
];
const ON_ALL = perRuntime(APPS, [NEW, OLD, BUN]);

/** Bun takes half; the old Node, for the app alone, a tenth more. */
function recordOf(options: Partial<RunOptions> = {}, targets = ON_ALL): RunRecord {
  const load = { connections: 100, pipelining: 10, launches: 3, durationS: 6, ...options };
  return makeRecord({ targets, options: load }, ({ target }) => {
    const times = target.endsWith('@bun-1.4.5') ? 0.5 : target === 'app@node-22.1.0' ? 1.1 : 1;
    return { ok: 1000, cpuUsPerResponse: 10 * times };
  });
}

describe('the section of runtimes', () => {
  function sectionOf(record: RunRecord) {
    const table = summarizeRuntimes(record, summarize(record).conditions);
    if (table === null) throw new Error('the record tells of no runtimes');
    return runtimeSection(table);
  }

  test('has a row for each target on each runtime, and says what each takes beside the first', () => {
    const section = sectionOf(recordOf());
    expect(rowsOf(section).map((row) => row.slice(0, 5))).toEqual([
      ['Floor', 'Node 24.1.0', '10.00 ±0.00', '–', '–'],
      ['Floor', 'Node 22.1.0', '10.00 ±0.00', '1.00 [1.00, 1.00]', 'same'],
      ['Floor', 'Bun 1.4.5', '5.00 ±0.00', '0.50 [0.50, 0.50]', 'faster'],
      ['App', 'Node 24.1.0', '10.00 ±0.00', '–', '–'],
      ['App', 'Node 22.1.0', '11.00 ±0.00', '1.10 [1.10, 1.10]', 'slower'],
      ['App', 'Bun 1.4.5', '5.00 ±0.00', '0.50 [0.50, 0.50]', 'faster'],
    ]);
    const text = shown(section);
    expect(text).toMatch(/^Runtimes, as single processes, under the cost load \(-c 100 -p 10\)\n/);
    expect(text).toContain(
      'Node 22.1.0 compared with Node 24.1.0: the same CPU for Floor (0 %); more CPU for App (+10.0 %). ' +
        'Bun 1.4.5 compared with Node 24.1.0: less CPU for Floor (-50.0 %) and App (-50.0 %).',
    );
    expect(text).not.toContain('Process managers');
  });

  const record = recordOf();
  const first = record.slices.filter(({ cell }) => cell.includes('@node-24.1.0'));

  test.each<[string, RunRecord]>([
    [
      'Process managers run only Node, so Bun 1.4.5 ran as single processes.',
      recordOf({ topologies: ['single', 2] }),
    ],
    ['There is nothing to compare with Node 24.1.0.', { ...record, slices: first }],
    ['\nNothing was measured here.', { ...record, slices: [] }],
  ])('says "%s"', (text, of) => {
    expect(shown(sectionOf(of))).toContain(text);
  });
});

describe('the report of the frameworks', () => {
  const sectionsOf = (record: RunRecord) => {
    return frameworks.show(summarize(record), { details: false }).map((section) => {
      const [heading] = section.blocks;
      return { section, heading: heading?.kind === 'heading' ? heading.text : '' };
    });
  };
  const has = (record: RunRecord, start: string) => {
    return sectionsOf(record).some(({ heading }) => heading.startsWith(start));
  };

  test('shows runtimes and variants where there are any', () => {
    expect(has(recordOf(), 'Runtimes, ')).toBe(true);
    expect(has(recordOf({}, APPS), 'Runtimes, ')).toBe(false);
    expect(has(recordOf({}, APPS), 'Variants, ')).toBe(false);
    const changed = makeTarget('changed', { over: 'floor', variantOf: 'app' });
    expect(has(recordOf({}, [...APPS, changed]), 'Variants, ')).toBe(true);
  });

  test('has a column for every topology, also where not every target ran in it', () => {
    const mixed = recordOf({ topologies: ['single', 2] }, perRuntime(APPS, [BUN, NEW]));
    const found = sectionsOf(mixed).find(({ heading }) => heading.startsWith('Topologies'));
    const table = found?.section.blocks.find(({ kind }) => kind === 'table');
    const groups = table?.kind === 'table' ? table.columns.map(({ group }) => group) : [];
    expect([...new Set(groups)]).toEqual(['', 'single', '2']);
  });
});

test('the head says what the servers ran on, and names one that was asked before it was put on runtimes', () => {
  const record = recordOf();
  expect(runHead(record).intro[0]).toContain(
    'The servers ran on Node 24.1.0, Node 22.1.0 and Bun 1.4.5, the harness on Node 24.0.0.',
  );
  expect(runHead(recordOf({}, APPS)).intro[0]).not.toContain('The servers ran on');
  const learnt = { serviceNs: 2e6, cpuNs: 1e6, bytes: 12, pipelines: true };
  const pilot = { kind: 'learnt' as const, server: 'app', ...learnt };
  expect(runHead({ ...record, plan: { ...record.plan, pilot } }).intro[0]).toContain(
    'a single request to the slowest, App, took 2.00 ms',
  );
});
