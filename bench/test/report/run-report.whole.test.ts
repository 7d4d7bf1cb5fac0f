import { join } from 'node:path';
import { stripVTControlCharacters, styleText } from 'node:util';
import { describe, expect, test } from 'vitest';
import { readJson, saveJson } from '../../src/base/json-file.ts';
import { type RunRecord, recordSchema } from '../../src/record/record.ts';
import { interimSection } from '../../src/report/interim.ts';
import { runDocument } from '../../src/report/run-report.ts';
import { ascii } from '../../src/report/terminal/ascii.ts';
import type { Look } from '../../src/report/terminal/look.ts';
import { renderDocument } from '../../src/report/terminal/render.ts';
import { suiteOf } from '../../src/suites/index.ts';
import { TRIES_ALL } from '../support/cases.ts';
import { type Happened, makeMeasurement, makeRecord } from '../support/make-record.ts';
import { summaryOf } from '../support/summaries.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  bidder,
  board,
  cluster,
  curve,
  cutShort,
  frameworks,
  image,
  ladder,
  oneLaunch,
  rate,
  tax,
  where,
} from './golden-records.ts';
import { plain, shown } from './look.ts';

const golden = (name: string) => join(import.meta.dirname, 'golden', `${name}.txt`);

function reportOf(record: RunRecord, look: Look, details = false): string {
  const summary = summaryOf(record);
  const sections = suiteOf(record).show(summary, { details });
  return renderDocument(runDocument(summary, sections, { details, explain: false }), look);
}

function widest(text: string): number {
  return Math.max(...text.split('\n').map((line) => line.length));
}

const RECORDS = {
  ...{ frameworks, 'cut-short': cutShort, 'one-launch': oneLaunch },
  ...{ cluster, rate, curve, 'pm2-tax': tax, board, bidder, ladder },
  ...{ image, where },
};
const CASES = Object.entries(RECORDS).flatMap(([name, make]) =>
  [80, 160].map((width) => ({ name, make, width })),
);

describe('the report', () => {
  test.each(CASES)('of $name at $width columns is as shown', async ({ name, make, width }) => {
    const report = reportOf(make(), plain(width));
    await expect(report).toMatchFileSnapshot(golden(`${name}-${width}`));
    expect(widest(report)).toBeLessThanOrEqual(width);
  });

  test.each([80, 160])('with details at %d columns is as shown', async (width) => {
    const report = reportOf(frameworks(), plain(width), true);
    await expect(report).toMatchFileSnapshot(golden(`frameworks-details-${width}`));
    expect(widest(report)).toBeLessThanOrEqual(width);
  });

  // Signs are put in their place by one function, whatever the kind of run.
  const some = Object.entries(RECORDS).filter((_, index) => TRIES_ALL || index % 3 === 0);
  test.each(some)('of %s is the same in ASCII alone', (_, make) => {
    const report = reportOf(make(), { ...plain(80), text: ascii });
    expect(report).toMatch(/^[\0-\x7F]*$/);
    expect(widest(report)).toBeLessThanOrEqual(80);
  });

  test('with colours differs in nothing but the colours', () => {
    const styled = (style: 'bold' | 'dim' | 'red' | 'strikethrough') => (text: string) =>
      styleText(style, text, { validateStream: false });
    const look = {
      ...{ width: 80, bold: styled('bold'), dim: styled('dim'), warn: styled('red') },
      strike: styled('strikethrough'),
      text: (text: string) => text,
    };
    const coloured = reportOf(cutShort(), look);
    expect(coloured).not.toBe(stripVTControlCharacters(coloured));
    expect(stripVTControlCharacters(coloured)).toBe(reportOf(cutShort(), plain(80)));
  });

  test('of a record is the same after the record was saved and read', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'run.json');
    const record = frameworks();
    await saveJson(path, record);
    expect(reportOf(readJson(path, [recordSchema]), plain(120))).toBe(reportOf(record, plain(120)));
  });
});

/** What else can become of a run. */
const ENDINGS: Record<string, (record: RunRecord) => RunRecord> = {
  'went well': (record) => record,
  'was ended before it began': (record) => {
    return { ...record, ...{ state: 'interrupted', slices: [], wallNs: 0, firstTableNs: null } };
  },
  'was ended in its first launch': (record) => {
    const slices = record.slices.filter(({ launch }) => launch === 0);
    return { ...record, state: 'interrupted', slices };
  },
  'had no server that started': (record) => {
    const servers = [...new Set(record.plan.cells.map(({ server }) => server))];
    const failure = { launch: 0, when: 'start', message: 'it died', logTail: [], died: true };
    const failures = servers.map((server) => ({ ...failure, server, when: 'start' as const }));
    return { ...record, slices: [], failures };
  },
  'had but one server that lived': (record) => {
    const [, ...servers] = new Set(record.plan.cells.map(({ server }) => server));
    const failure = { launch: 1, message: 'it died', logTail: ['bye'], died: true };
    const failures = servers.map((server) => ({ ...failure, server, when: 'slice' as const }));
    return { ...record, failures };
  },
  'got wrong answers only': (record) => ({
    ...record,
    slices: withSlices(record, { wrongBody: 50 }),
  }),
  'got no answer at all': (record) => ({
    ...record,
    slices: withSlices(record, {
      timedOut: 50,
      lostAgesMs: Array.from({ length: 50 }, () => 10_000),
    }),
  }),
  'sent nothing': (record) => ({ ...record, slices: withSlices(record, {}) }),
};

function withSlices({ slices }: RunRecord, happened: Happened): RunRecord['slices'] {
  const [closed, open] = [happened, { ...happened, pace: {} }].map(makeMeasurement);
  return slices.map((slice) => {
    const measurement = slice.measurement.pace === null ? closed : open;
    return measurement === undefined ? slice : { ...slice, measurement };
  });
}

const BROKEN =
  /NaN|Infinity|∞|undefined|null|object|-0(?:\.0*)?(?![.\d])|– (ms|µs|s|MB|%)|[≤≥>] (–|0(?!\.))|\(\)|,,|;;|\.\./;

describe('the report of a run that', () => {
  const kinds = Object.entries(RECORDS);
  // Of some kinds each, unless all are tried.
  const cases = Object.entries(ENDINGS).flatMap(([ending, end], row) =>
    kinds.flatMap(([kind, make], column) => {
      return TRIES_ALL || (row + column) % 8 === 0 ? [{ ending, kind, make, end }] : [];
    }),
  );

  test.each(cases)('$ending holds no broken figure: $kind', ({ make, end }) => {
    const record = end(make());
    for (const width of TRIES_ALL ? [80, 160] : [80]) {
      const report = reportOf(record, plain(width), true);
      expect(report.split('\n').filter((line) => BROKEN.test(line))).toEqual([]);
      expect(widest(report)).toBeLessThanOrEqual(width);
    }
  });
});

describe('the report of a run that went on until enough was known', () => {
  /** So much was asked. */
  const asked = (share: number, parts: Partial<RunRecord> = {}): string => {
    const record = { ...frameworks(), ...parts };
    const plan = { ...record.plan, until: { share, maxTimeNs: 600e9 } };
    return reportOf({ ...record, plan }, plain(1000));
  };

  test('says that it is, or that so few launches can seem to know it', () => {
    const many = makeRecord({ options: { launches: 16, durationS: 48 } }, () => ({ ok: 1000 }));
    expect(asked(0.125, many)).toContain(
      '\nWent on until every ratio was known to ±12.5 %: 16 launches. ',
    );
    expect(asked(0.125)).toContain(
      '\nEnded at --max-time after 3 launches; every ratio seems known to ±12.5 %, but so few launches may agree by ' +
        'chance: it takes 16 to be sure. ',
    );
  });

  test('says what is not, where time was up', () => {
    expect(asked(0.001)).toMatch(
      /\nEnded at --max-time after 3 launches; [\w +:]+, (single|2|max = 4), under the (published|cost) load, is still known to ±\d\.\d\d % only \(±0\.1 % was asked for\)\. Measured /,
    );
  });

  test('says that of what nothing is known yet', () => {
    const slices = frameworks().slices.filter(({ cell, launch }) => {
      return launch === 0 || cell !== 'nest-fastify/single/cost';
    });
    expect(asked(0.125, { slices })).toContain(
      '\nEnded at --max-time after 3 launches; Nest + Fastify, single, under the cost load, is still known to ±? only (±12.5 % was asked for). ',
    );
  });

  test('says nothing of it where it was cut short, or nothing is left to know', () => {
    const failures = frameworks().plan.cells.flatMap(({ server }) => {
      const failure = { server, when: 'start' as const, message: '', logTail: [], died: true };
      return [0, 1, 2].map((launch) => ({ ...failure, launch }));
    });
    for (const parts of [{ state: 'interrupted' as const }, { failures }]) {
      expect(asked(0.001, parts)).not.toMatch(/Went on|--max-time/);
    }
    expect(reportOf(frameworks(), plain(80))).not.toMatch(/Went on|--max-time/);
  });
});

describe('the interim table', () => {
  test.each([80, 160])('at %d columns is as shown', async (width) => {
    const table = shown(interimSection(frameworks()), width);
    await expect(`${table}\n`).toMatchFileSnapshot(golden(`interim-${width}`));
    expect(widest(table)).toBeLessThanOrEqual(width);
  });

  test('of a run that has just begun has a row for every target, without figures', () => {
    const record = { ...frameworks(), slices: [] };
    const table = shown(interimSection(record), 160);
    for (const { label } of record.targets) expect(table).toContain(label);
    expect(table).not.toMatch(/NaN|±/);
  });

  test('has no row for a target that this run does not measure', () => {
    const whole = frameworks();
    const [gone, ...others] = whole.targets;
    const cells = whole.plan.cells.filter(({ target }) => target !== gone?.name);
    const table = shown(interimSection({ ...whole, plan: { ...whole.plan, cells } }), 160);
    expect(table).not.toMatch(new RegExp(`^${gone?.label}`, 'm'));
    for (const { label } of others) expect(table).toContain(label);
  });
});
