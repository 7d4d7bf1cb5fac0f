import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../../src/record/record.ts';
import { runHead } from '../../../src/report/head.ts';
import { runtimeSection } from '../../../src/report/sections/runtimes.ts';
import type { RunOptions } from '../../../src/request/run-options.ts';
import { frameworks } from '../../../src/suites/frameworks.ts';
import { summarizeConditions } from '../../../src/summary/conditions.ts';
import { summarizeRuntimes } from '../../../src/summary/runtimes.ts';
import { summarize } from '../../../src/summary/summary.ts';
import { onRuntimes } from '../../../src/targets/copies.ts';
import { makeRecord, makeTarget, type Story } from '../../support/make-record.ts';
import { BUN, NEW, OLD } from '../../support/make-runtimes.ts';
import { rowsOf } from '../rows-of.ts';

const APPS = [
  makeTarget('floor', { label: 'Floor' }),
  makeTarget('app', { label: 'App', over: 'floor' }),
];

/** Bun takes half; the old Node, for the app alone, a tenth more. */
const story: Story = ({ target }) => {
  const times = target.endsWith('@bun-1.4.5') ? 0.5 : target === 'app@node-22.1.0' ? 1.1 : 1;
  return { ok: 1000, cpuUsPerResponse: 10 * times };
};

function recordOf(
  options: Partial<RunOptions> = {},
  targets = onRuntimes(APPS, [NEW, OLD, BUN]),
): RunRecord {
  const load = { connections: 100, pipelining: 10, launches: 3, durationS: 6 };
  return makeRecord({ targets, options: { ...load, ...options } }, story);
}

function sectionOf(record: RunRecord) {
  const table = summarizeRuntimes(record, summarizeConditions(record));
  if (table === null) throw new Error('the record tells of no runtimes');
  return runtimeSection(table);
}

function textOf(record: RunRecord): string {
  return sectionOf(record)
    .blocks.flatMap((block) => (block.kind === 'paragraph' ? block.text : []))
    .join(' ');
}

describe('the section of runtimes', () => {
  test('has a row for each target on each runtime', () => {
    const section = sectionOf(recordOf());
    expect(section.blocks[0]).toMatchObject({
      text: 'Runtimes, read as single processes, under the cost load (-c 100 -p 10)',
    });
    expect(rowsOf(section).map((row) => row.slice(0, 5))).toEqual([
      ['Floor', 'Node 24.1.0', '10.00 ±0.00', '–', '–'],
      ['Floor', 'Node 22.1.0', '10.00 ±0.00', '1.00 [1.00, 1.00]', 'same'],
      ['Floor', 'Bun 1.4.5', '5.00 ±0.00', '0.50 [0.50, 0.50]', 'faster'],
      ['App', 'Node 24.1.0', '10.00 ±0.00', '–', '–'],
      ['App', 'Node 22.1.0', '11.00 ±0.00', '1.10 [1.10, 1.10]', 'slower'],
      ['App', 'Bun 1.4.5', '5.00 ±0.00', '0.50 [0.50, 0.50]', 'faster'],
    ]);
  });

  test('says of each runtime what it takes beside the first', () => {
    const text = textOf(recordOf());
    expect(text).toContain(
      'Beside Node 24.1.0, Node 22.1.0 takes as much CPU for a request to Floor (0 %); it takes more CPU ' +
        'for a request to App (+10.0 %). Beside Node 24.1.0, Bun 1.4.5 takes less CPU for a request to ' +
        'Floor (-50.0 %) and App (-50.0 %).',
    );
    expect(text).not.toContain('Process managers');
  });

  test('says which runtimes have no process manager, where others have', () => {
    expect(textOf(recordOf({ topologies: ['single', 2] }))).toContain(
      'Process managers keep only Node: Bun 1.4.5 ran as single processes.',
    );
  });

  test('says so where nothing can be compared, and where nothing was measured', () => {
    const record = recordOf();
    const first = record.slices.filter(({ cell }) => cell.includes('@node-24.1.0'));
    expect(textOf({ ...record, slices: first })).toContain(
      'There is nothing to compare with Node 24.1.0.',
    );
    expect(textOf({ ...record, slices: [] })).toBe('Nothing was measured here.');
  });
});

describe('the report of the frameworks', () => {
  const headings = (record: RunRecord) => {
    const sections = frameworks.show(summarize(record), { details: false });
    return sections.flatMap(({ blocks: [first] }) => (first?.kind === 'heading' ? first.text : []));
  };

  test('shows runtimes and variants where there are any', () => {
    const runtimes = expect.stringMatching(/^Runtimes, /);
    const variants = expect.stringMatching(/^Variants, /);
    expect(headings(recordOf())).toContainEqual(runtimes);
    expect(headings(recordOf({}, APPS))).not.toContainEqual(runtimes);
    expect(headings(recordOf({}, APPS))).not.toContainEqual(variants);
    const changed = makeTarget('changed', { over: 'floor', variantOf: 'app' });
    expect(headings(recordOf({}, [...APPS, changed]))).toContainEqual(variants);
  });

  test('has a column for every topology, also where not every target ran in it', () => {
    const record = recordOf({ topologies: ['single', 2] }, onRuntimes(APPS, [BUN, NEW]));
    const sections = frameworks.show(summarize(record), { details: false });
    const topologies = sections.find(({ blocks: [first] }) => {
      return first?.kind === 'heading' && first.text.startsWith('Topologies');
    });
    const table = topologies?.blocks.find(({ kind }) => kind === 'table');
    const groups = table?.kind === 'table' ? table.columns.map(({ group }) => group) : [];
    expect([...new Set(groups)]).toEqual(['', 'single', '2']);
  });
});

test('the head says what the servers ran on, and what the harness', () => {
  expect(runHead(recordOf()).intro[0]).toContain(
    'The servers ran on Node 24.1.0, Node 22.1.0 and Bun 1.4.5, the harness on Node 24.0.0.',
  );
  expect(runHead(recordOf({}, APPS)).intro[0]).not.toContain('The servers ran on');
});

test('the head names a server that was asked before it was put on runtimes', () => {
  const record = recordOf();
  const learnt = { serviceNs: 2e6, cpuNs: 1e6, bytes: 12, pipelines: true };
  const pilot = { kind: 'learnt' as const, server: 'app', ...learnt };
  expect(runHead({ ...record, plan: { ...record.plan, pilot } }).intro[0]).toContain(
    'A request to the slowest, App, took 2.00 ms alone',
  );
});
