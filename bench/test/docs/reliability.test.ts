/** docs/RELIABILITY.md shows the saved counts, and explains each failure. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { FAULTS, summarySchema, TABLE, tableOf } from '../support/fault-rows.ts';
import { ROOT } from './documents.ts';

const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const TEXT = textOf('docs/RELIABILITY.md');
const SAVED = summarySchema.parse(JSON.parse(textOf('docs/runs/faults/counts.json')));

test('the table is what the saved rounds say: else `pnpm test:faults --repeat 0 --save`', () => {
  expect(SAVED.rows.map(({ row }) => row)).toEqual(FAULTS.map(({ row }) => row));
  expect(TABLE.exec(TEXT)?.[0]).toBe(tableOf(SAVED));
});

test('each test that failed is named where failures are explained', () => {
  const [, explained = ''] = TEXT.split('\n## Failures seen\n');
  const failed = SAVED.rows.flatMap(({ failures }) => failures.map((failure) => failure.test));
  expect(failed.filter((name) => !explained.includes(name))).toEqual([]);
});

test('each file of fault tests belongs to a row', () => {
  const files = globSync('*.test.ts', { cwd: join(ROOT, 'bench/test/faults') });
  const rows = FAULTS.map(({ row }) => `${row}`.padStart(2, '0'));
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => !rows.some((row) => file.startsWith(`${row}-`)))).toEqual([]);
});

test('the figures of the run with 500 servers are the saved ones', () => {
  const saved = z
    .record(z.string(), z.number())
    .parse(JSON.parse(textOf('docs/runs/faults/servers.json')));
  const { servers, slices, answered, failures, groups, seconds } = saved;
  expect([slices, answered, failures]).toEqual([servers, servers, 0]);
  const text = TEXT.replaceAll(/\s+/g, ' ');
  for (const sentence of [
    `${servers} real ones`,
    `in ${groups} groups and ${seconds} s`,
    `at most ${saved.harnessPeakMB} MB of memory and ${saved.openFiles} open files`,
    `the record is of ${saved.recordMB} MB`,
  ]) {
    expect(text).toContain(sentence);
  }
});
