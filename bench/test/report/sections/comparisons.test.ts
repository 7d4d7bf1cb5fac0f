/** Overheads, topologies, process managers and runtimes. */
import { describe, expect, test } from 'vitest';
import type { Estimate } from '../../../src/math/statistics.ts';
import type { Verdict } from '../../../src/math/verdicts.ts';
import type { RunRecord } from '../../../src/record/record.ts';
import { runHead } from '../../../src/report/head.ts';
import {
  overheadSection,
  runtimeSection,
  taxSection,
  topologySection,
} from '../../../src/report/sections/comparisons.ts';
import type { RunOptions } from '../../../src/request/run-options.ts';
import { frameworks } from '../../../src/suites/frameworks.ts';
import { pm2Tax } from '../../../src/suites/pm2-tax.ts';
import { summarizeRuntimes } from '../../../src/summary/comparisons.ts';
import { summarize } from '../../../src/summary/summary.ts';
import { perRuntime } from '../../../src/targets/copies.ts';
import { interval, makeRecord, makeTarget, type Story } from '../../support/make-record.ts';
import { BUN, NEW, OLD } from '../../support/make-runtimes.ts';
import { diedThrice } from '../../support/stories.ts';
import { summariesOf } from '../../support/summaries.ts';
import { rowsOf, shown } from '../look.ts';

const record = makeRecord({ options: { topologies: ['single', 2] } }, () => null);
const [condition] = summarize(record).conditions;
const [floor, middle, top] = ['floor', 'middle', 'top'].map((name) => makeTarget(name));
if (!condition || !floor || !middle || !top) throw new Error('there are three targets');

test.each([
  ['middle adds the most: +9.0 ±1.0 µs of CPU per request over floor.', 9000, 2000],
  ['No step here costs more CPU than what it is built on.', -3000, -1000],
])('below overheads it says "%s"', (text, middleNs, topNs) => {
  const rowOf = (target: typeof top, over: typeof top, ns: number) => {
    const difference = interval(ns, ns - 1000, ns + 1000);
    const comparison = { ratio: interval(1.1, 1, 1.2), difference, verdict: 'slower' as const };
    return { target, over, comparison, flags: [] };
  };
  const rows = [rowOf(middle, floor, middleNs), rowOf(top, middle, topNs)];
  expect(shown(overheadSection({ condition, rows }))).toContain(`\n${text}`);
});

type SpeedUp = [ratio: Estimate, verdict: Verdict] | null;
const FASTER: SpeedUp = [interval(1.5, 1.4, 1.6), 'faster'];
const UNSURE: SpeedUp = [interval(1.8, 0.7, 4), "can't tell"];
const NO_GAIN = 'No cluster is shown to be faster; the best is top (2): 0.80 [0.70, 0.90] times.';

test.each<[string, SpeedUp, SpeedUp]>([
  ['floor (2) gains the most: 1.50 [1.40, 1.60] times the requests/s.', FASTER, UNSURE],
  ...(['slower', "can't tell", 'same'] as const).map((verdict): [string, SpeedUp, SpeedUp] => {
    return [NO_GAIN, [interval(0.5, 0.4, 0.6), verdict], [interval(0.8, 0.7, 0.9), verdict]];
  }),
  ['There is no single process to compare the clusters with.', null, null],
])('below topologies it says "%s"', (text, ofFloor, ofTop) => {
  const rowOf = (target: typeof floor, own: SpeedUp) => {
    const speedUp = own && { ratio: own[0], difference: interval(0, 0, 0), verdict: own[1] };
    const entries = record.plan.topologies.map((topology, place) => {
      return { topology, throughput: interval(1, 1, 1), speedUp: place === 0 ? null : speedUp };
    });
    return { target, entries };
  };
  const rows = [rowOf(floor, ofFloor), rowOf(top, ofTop)];
  const section = topologySection({ load: condition.load, rows });
  expect(shown(section).split('\n').at(-1)).toBe(text);
});

const COSTS: Record<string, number> = { single: 10, fork: 10, '1': 10.6, 'pmx:1': 9 };
/** Busy all the time, with 1,000 requests in flight; a request costs what it usually does there, or so many µs. */
const costing = (other: (topology: string, launch: number) => number | null): Story => {
  return ({ topology }, launch) => {
    const us = other(topology, launch) ?? COSTS[topology] ?? 20;
    const ok = Math.round(0.97e6 / us);
    const managerBytes = topology === 'single' ? 0 : 60e6;
    return { ok, latenciesMs: [1e6 / ok], cpuUsPerResponse: us, managerBytes };
  };
};
const usual = costing(() => null);

function tablesOf(story = usual, { options, ...parts }: Parameters<typeof makeRecord>[0] = {}) {
  const topologies = ['single', 'fork', 1, 'pmx:1'] as const;
  const load = { connections: 100, pipelining: 10, launches: 3, durationS: 6 };
  const targets = [makeTarget('app', { label: 'App' })];
  const asked = { topologies: [...topologies], ...load, ...options };
  const record = makeRecord({ suite: pm2Tax, targets, options: asked, ...parts }, story);
  return (summariesOf(record).taxes ?? []).map((tax) => {
    const section = taxSection(tax);
    return { rows: rowsOf(section), text: shown(section) };
  });
}

describe('the table of process managers', () => {
  const unsure = costing((topology, launch) => (topology === 'fork' ? 9 + launch : null));

  test.each<[string, Story]>([
    [
      'Compared with plain node: the same CPU with pm2 fork mode (0 %); more CPU with pm2 cluster mode (+6.00 %); less CPU ' +
        'with pm2 cluster mode with pmx (-10.0 %).',
      usual,
    ],
    [": can't tell with pm2 fork mode (", unsure],
    ['\nNothing was measured here.', () => null],
  ])('says "%s"', (text, story) => {
    expect(tablesOf(story)[0]?.text).toContain(text);
  });

  test('has a name for every kind and number of processes, and is one for each target', () => {
    const [table] = tablesOf(usual, { options: { topologies: ['single', 2, 'cluster:2'] } });
    expect(table?.rows.map(([name]) => name)).toEqual([
      ...['plain node', 'pm2 cluster mode × 2', 'node:cluster × 2'],
    ]);
    const targets = [makeTarget('a', { label: 'A' }), makeTarget('b', { label: 'B' })];
    const names = tablesOf(usual, { targets }).map(({ text }) => /costs (\w)/.exec(text)?.[1]);
    expect(names).toEqual(['A', 'B']);
  });

  test('says of a server that failed nothing but that, and compares nothing with it', () => {
    const [table] = tablesOf(usual, { failures: diedThrice('app/1') });
    const dashes = ['–', '–', '–', '–', '–'];
    expect(table?.rows[2]).toEqual(['pm2 cluster mode', 'failed', ...dashes, 'a']);
    expect(table?.text).not.toContain('cluster mode (');
    const [plain] = tablesOf(usual, { failures: diedThrice('app/single') });
    expect(plain?.rows[1]?.slice(1, 5)).toEqual(['10.00 ±0.00', '–', '–', '–']);
    expect(plain?.text).toContain('There is nothing to compare with plain node.');
  });
});

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
  const found = (record: RunRecord, start: string) => {
    const sections = frameworks.show(summarize(record), { details: false });
    return sections.find((each) => shown(each).startsWith(start));
  };

  test('shows runtimes and variants where there are any', () => {
    expect(found(recordOf(), 'Runtimes, ')).toBeDefined();
    expect(found(recordOf({}, APPS), 'Runtimes, ')).toBeUndefined();
    expect(found(recordOf({}, APPS), 'Variants, ')).toBeUndefined();
    const changed = makeTarget('changed', { over: 'floor', variantOf: 'app' });
    expect(found(recordOf({}, [...APPS, changed]), 'Variants, ')).toBeDefined();
  });

  test('has a column for every topology, also where not every target ran in it', () => {
    const mixed = recordOf({ topologies: ['single', 2] }, perRuntime(APPS, [BUN, NEW]));
    const [, table] = found(mixed, 'Topologies')?.blocks ?? [];
    const columns = ['', 'single', '2', '2', '2'].map((group) => ({ group }));
    expect(table).toMatchObject({ kind: 'table', columns });
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
