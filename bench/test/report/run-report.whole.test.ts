import { stripVTControlCharacters, styleText } from 'node:util';
import { expect, test } from 'vitest';
import type { RunRecord, Warmup } from '../../src/record/record.ts';
import { interimSection } from '../../src/report/progress.ts';
import { footOf, runDocument } from '../../src/report/run-report.ts';
import { ascii, type Look } from '../../src/report/terminal/look.ts';
import { renderDocument } from '../../src/report/text.ts';
import { suiteOf } from '../../src/suites/index.ts';
import { summarize } from '../../src/summary/summary.ts';
import { type Happened, makeMeasurement, makeRecord } from '../support/make-record.ts';
import { TRIES_ALL } from '../support/random.ts';
import { summaryOf } from '../support/summaries.ts';
import { cutShort, frameworks, RECORDS } from './golden-records.ts';
import { plain, rowsOf, shown, testGolden, widest } from './look.ts';

/** A warm-up of so many s, with twice so many answers. */
function settled(server: string, s = 1.42, answers = 48_000): Warmup {
  const batch = { asked: null, answers, ns: s * 5e8, cpuNs: 0, bytes: 0 };
  return { server, launch: 0, batches: [batch, batch], ns: s * 1e9, outcome: 'settled' };
}

const capped = (...servers: string[]) => {
  return servers.map((server): Warmup => ({ ...settled(server, 3, 900_000), outcome: 'capped' }));
};
const ALL = ['floor', 'middle', 'top'].flatMap((name) => [`${name}/single`, `${name}/2`]);
const MEDIAN = 'In the median start a server had settled after 1.42 s and 96,000 requests.';
const NOT = 'had not settled within 3 s of warm-up';

test.each<[end: string, Warmup[], details?: boolean]>([
  [
    `MB. ${MEDIAN}`,
    [settled('floor/single'), settled('floor/2', 0.9, 10), settled('top/2', 2, 96_000)],
  ],
  [
    `MB. ${MEDIAN} 3 of 4 starts ${NOT}: top (single), top (2).`,
    [settled('floor/2'), ...capped('top/single', 'top/single', 'top/2')],
  ],
  [
    `MB. 6 of 6 starts ${NOT}: floor (single), floor (2), middle (single) and 3 more.`,
    capped(...ALL),
  ],
  ['MB.', []],
  [`%). 1 of 2 starts ${NOT}.`, [settled('floor/single'), ...capped('top/single')], false],
  ['%).', [settled('floor/single')], false],
])('with warm-ups the foot ends with "%s"', (end, warmups, details = true) => {
  const options = { topologies: ['single' as const, 2], warmupS: 3 };
  const summary = summarize(makeRecord({ options, warmups }, () => ({ ok: 1 })));
  expect(footOf(summary, details).slice(-end.length - 1)).toBe(` ${end}`);
});

function reportOf(record: RunRecord, look: Look, details = false): string {
  const summary = summaryOf(record);
  const sections = suiteOf(record).show(summary, { details });
  return renderDocument(runDocument(summary, sections, { details, explain: false }), look);
}

const KINDS = Object.entries(RECORDS);

for (const [name, make] of KINDS) {
  testGolden(name, (width) => reportOf(make(), plain(width)));
}

testGolden('frameworks-details', (width) => reportOf(frameworks(), plain(width), true));

// One function replaces signs, whatever the kind of run.
const some = KINDS.filter((_, index) => TRIES_ALL || index % 3 === 0);
test.each(some)('the report of %s is the same in ASCII alone', (_, make) => {
  const report = reportOf(make(), { ...plain(80), text: ascii });
  expect(report).toMatch(/^[\0-\x7F]*$/);
  expect(widest(report)).toBeLessThanOrEqual(80);
});

test('the report with colours differs in nothing but the colours', () => {
  const styled = (style: 'bold' | 'dim' | 'red' | 'strikethrough') => (text: string) =>
    styleText(style, text, { validateStream: false });
  const coloured = reportOf(cutShort(), {
    ...{ ...plain(80), bold: styled('bold'), dim: styled('dim') },
    ...{ warn: styled('red'), strike: styled('strikethrough') },
  });
  expect(coloured).not.toBe(stripVTControlCharacters(coloured));
  expect(stripVTControlCharacters(coloured)).toBe(reportOf(cutShort(), plain(80)));
});

/** The same failure of all servers but the first ones. */
function failedBut(lived: number, record: RunRecord, launch: number): RunRecord {
  const servers = [...new Set(record.plan.cells.map(({ server }) => server))].slice(lived);
  const when = launch === 0 ? ('start' as const) : ('slice' as const);
  const failure = { launch, when, message: 'it died', logTail: ['bye'], died: true };
  return { ...record, failures: servers.map((server) => ({ ...failure, server })) };
}

const ENDINGS: Record<string, (record: RunRecord) => RunRecord> = {
  'went well': (record) => record,
  'was ended before it began': (record) => {
    return { ...record, state: 'interrupted', slices: [], wallNs: 0, firstTableNs: null };
  },
  'was ended in its first launch': (record) => {
    const slices = record.slices.filter(({ launch }) => launch === 0);
    return { ...record, state: 'interrupted', slices };
  },
  'had no server that started': (record) => ({ ...failedBut(0, record, 0), slices: [] }),
  'had but one server that lived': (record) => failedBut(1, record, 1),
  'got wrong answers only': (record) => withSlices(record, { wrongBody: 50 }),
  'got no answer at all': (record) => {
    return withSlices(record, { timedOut: 50, lostAgesMs: Array(50).fill(10_000) });
  },
  'sent nothing': (record) => withSlices(record, {}),
};

function withSlices(record: RunRecord, happened: Happened): RunRecord {
  const [closed, open] = [happened, { ...happened, pace: {} }].map(makeMeasurement);
  const slices = record.slices.map((slice) => {
    const measurement = slice.measurement.pace === null ? closed : open;
    return measurement === undefined ? slice : { ...slice, measurement };
  });
  return { ...record, slices };
}

const BROKEN =
  /NaN|Infinity|∞|undefined|null|object|-0(?:\.0*)?(?![.\d])|– (ms|µs|s|MB|%)|[≤≥>] (–|0(?!\.))|\(\)|,,|;;|\.\./;

// Of some kinds each, unless all are tried.
const cases = Object.entries(ENDINGS).flatMap(([ending, end], row) => {
  const some = KINDS.filter((_, column) => TRIES_ALL || (row + column) % 8 === 0);
  return some.map(([kind, make]) => ({ ending, kind, make, end }));
});

test.each(cases)('no figure is broken of a run that $ending: $kind', ({ make, end }) => {
  const record = end(make());
  for (const width of TRIES_ALL ? [80, 160] : [80]) {
    const report = reportOf(record, plain(width), true);
    expect(report.split('\n').filter((line) => BROKEN.test(line))).toEqual([]);
    expect(widest(report)).toBeLessThanOrEqual(width);
  }
});

const asked = (share: number, parts: Partial<RunRecord> = {}): string => {
  const record = { ...frameworks(), ...parts };
  const plan = { ...record.plan, until: { share, maxTimeNs: 600e9 } };
  return reportOf({ ...record, plan }, plain(1000));
};
const many = makeRecord({ options: { launches: 16, durationS: 48 } }, () => ({ ok: 1000 }));
const STOPPED = '\nStopped at --max-time after 3 launches; ';
const slices = frameworks().slices.filter(({ cell, launch }) => {
  return launch === 0 || cell !== 'nest-fastify/single/cost';
});

test.each<[text: string | RegExp, share: number, parts?: Partial<RunRecord>]>([
  ['\nMeasured until every ratio was known to ±12.5 %: 16 launches. ', 0.125, many],
  [
    `${STOPPED}every ratio seems known to ±12.5 %, but so few launches may agree by chance: it takes 16 to be sure. `,
    0.125,
  ],
  [
    /; [\w +:]+, (single|2|max = 4), under the (published|cost) load, is known only to ±\d\.\d\d % \(±0\.1 % was asked for\)\. Measuring took /,
    0.001,
  ],
  [
    `${STOPPED}Nest + Fastify, single, under the cost load, is known only to ±? (±12.5 % was asked for). `,
    0.125,
    { slices },
  ],
])('the report of a run with --until says "%s"', (text, share, parts) => {
  expect(asked(share, parts)).toMatch(text);
});

test('the report of a run with --until says nothing of it where it was cut short, or nothing is left to know', () => {
  const failures = [0, 1, 2].flatMap((launch) => failedBut(0, frameworks(), launch).failures);
  const started = failures.map((failure) => ({ ...failure, when: 'start' as const }));
  for (const parts of [{ state: 'interrupted' as const }, { failures: started }]) {
    expect(asked(0.001, parts)).not.toMatch(/Measured until|--max-time/);
  }
  expect(reportOf(frameworks(), plain(80))).not.toMatch(/Measured until|--max-time/);
});

testGolden('interim', (width) => `${shown(interimSection(frameworks()), width)}\n`);

test('the interim table of a run that has just begun has a row for every target that it measures, without figures', () => {
  const { plan, targets, ...record } = frameworks();
  const [gone, ...others] = targets;
  const cells = plan.cells.filter(({ target }) => target !== gone?.name);
  const begun = { ...record, targets, plan: { ...plan, cells }, slices: [] };
  const rows = rowsOf(interimSection(begun));
  expect(rows.map(([label]) => label)).toEqual(others.map(({ label }) => label));
  expect(new Set(rows.flatMap(([_, ...figures]) => figures))).toEqual(new Set(['–']));
});
