import { join } from 'node:path';
import { stripVTControlCharacters, styleText } from 'node:util';
import { describe, expect, test } from 'vitest';
import { readPublished } from '../../src/published.ts';
import type { RunRecord } from '../../src/record.ts';
import { renderInterim } from '../../src/report/interim.ts';
import type { Look } from '../../src/report/table.ts';
import { renderReport } from '../../src/report/terminal.ts';
import { summarize } from '../../src/summary.ts';
import { cluster, cutShort, frameworks, oneLaunch } from './golden-records.ts';
import { plain } from './look.ts';

const golden = (name: string) => join(import.meta.dirname, 'golden', `${name}.txt`);

function reportOf(record: RunRecord, look: Look, details = false): string {
  return renderReport(summarize(record, readPublished(record.plan.suite)), look, { details });
}

function widest(text: string): number {
  return Math.max(...text.split('\n').map((line) => line.length));
}

const RECORDS = { frameworks, 'cut-short': cutShort, cluster, 'one-launch': oneLaunch };
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

  test.each(CASES)('of $name holds no broken figure', ({ make, width }) => {
    expect(reportOf(make(), plain(width), true)).not.toMatch(/NaN|Infinity|undefined|null|-0\b/);
  });

  test('with colours differs in nothing but the colours', () => {
    const styled = (style: 'bold' | 'dim' | 'red') => (text: string) =>
      styleText(style, text, { validateStream: false });
    const look = { width: 80, bold: styled('bold'), dim: styled('dim'), warn: styled('red') };
    const coloured = reportOf(cutShort(), look);
    expect(coloured).not.toBe(stripVTControlCharacters(coloured));
    expect(stripVTControlCharacters(coloured)).toBe(reportOf(cutShort(), plain(80)));
  });

  test('of a record is the same after the record was saved and read', () => {
    const record = frameworks();
    const copy: RunRecord = structuredClone(record);
    expect(reportOf(copy, plain(120))).toBe(reportOf(record, plain(120)));
  });
});

describe('the report of a run that went on until enough was known', () => {
  /** So much was asked. */
  const asked = (share: number, parts: Partial<RunRecord> = {}): string => {
    const record = { ...frameworks(), ...parts };
    const plan = { ...record.plan, until: { share, maxTimeNs: 600e9 } };
    return reportOf({ ...record, plan }, plain(1000));
  };

  test('says that it is', () => {
    expect(asked(0.125)).toContain(
      '\nWent on until every ratio was known to ±12.5 %: 3 launches. ',
    );
  });

  test('says what is not, where time was up', () => {
    expect(asked(0.001)).toMatch(
      /\nEnded at --max-time after 3 launches; [\w +:]+, (single|2|max = 4), (published|cost) load, is still known to ±\d\.\d\d % only \(±0\.1 % was asked for\)\. Measured /,
    );
  });

  test('says that of what nothing is known yet', () => {
    const slices = frameworks().slices.filter(({ cell, launch }) => {
      return launch === 0 || cell !== 'nest-fastify/single/cost';
    });
    expect(asked(0.125, { slices })).toContain(
      '\nEnded at --max-time after 3 launches; Nest + Fastify, single, cost load, is still known to ±? only (±12.5 % was asked for). ',
    );
  });

  test('says nothing of it where it was cut short, or nothing is left to know', () => {
    const failures = frameworks().plan.cells.map(({ server }) => {
      return { server, launch: 0, when: 'start' as const, message: '', lastWords: [], died: true };
    });
    for (const parts of [{ state: 'interrupted' as const }, { failures }]) {
      expect(asked(0.001, parts)).not.toMatch(/Went on|--max-time/);
    }
    expect(reportOf(frameworks(), plain(80))).not.toMatch(/Went on|--max-time/);
  });
});

describe('the interim table', () => {
  test.each([80, 160])('at %d columns is as shown', async (width) => {
    const table = renderInterim(frameworks(), plain(width));
    await expect(`${table}\n`).toMatchFileSnapshot(golden(`interim-${width}`));
    expect(widest(table)).toBeLessThanOrEqual(width);
  });

  test('of a run that has just begun has a row for every target, without figures', () => {
    const record = { ...frameworks(), slices: [] };
    const table = renderInterim(record, plain(160));
    for (const { label } of record.targets) expect(table).toContain(label);
    expect(table).not.toMatch(/NaN|±/);
  });
});
