/** The saved runs can be reported, and what documents show of them is what they print. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readJson } from '../../src/base/json-file.ts';
import { pageText, readAny, reportOf } from '../../src/commands/report.ts';
import { loadOf } from '../../src/plan/plan.ts';
import { recordSchema } from '../../src/record/record.ts';
import { renderDocument } from '../../src/report/terminal/render.ts';
import { flagsOf, isInvalid } from '../../src/validity/flags.ts';
import { codeFor } from '../cli/harness.ts';
import { plain } from '../report/look.ts';
import { DOCUMENTS, ROOT } from './documents.ts';

/** The widths, in columns, at which documents show reports. */
const WIDTHS = [100, 110];

const MOST_BYTES = 1e6;

/** In short, with the flags explained, and everything. */
const DEPTHS = [
  { details: false, explain: false },
  { details: false, explain: true },
  { details: true, explain: false },
];

/** Every saved run, with its report at every depth and width. */
const RUNS = globSync('docs/runs/**/*.json.gz', { cwd: ROOT })
  .sort()
  .map((path) => {
    const report = reportOf(readAny(join(ROOT, path)));
    const documents = DEPTHS.map((depth) => report.document(depth));
    const look = WIDTHS.map((width) => plain(width));
    const texts = documents.flatMap((each) => look.map((own) => renderDocument(each, own)));
    return { path, report, texts };
  });

function runOf(name: string): (typeof RUNS)[number] {
  const run = RUNS.find(({ path }) => path === `docs/runs/${name}.json.gz`);
  if (run === undefined) throw new Error(`there is no saved run ${name}`);
  return run;
}

test.each(RUNS)('$path is reported, and is as sound as its record says', ({ report, texts }) => {
  for (const text of texts) expect(text).toMatch(/^overhead \S+\nMeasured on /);
  const { record, exitCode } = report;
  expect(exitCode === 0).toBe(record.schema !== 'overhead.run' || codeFor(record) === 0);
});

/** Blocks with the line that reports draw below the heads of their tables, or with a figure and its interval. */
const SHOWN = DOCUMENTS.flatMap(({ path, blocks }) => {
  const ofReports = blocks.filter((block) => /────|\d ±\d/.test(block));
  return ofReports.map((block) => ({ path, block, begins: block.split('\n')[0] }));
});

describe('what documents show of saved runs', () => {
  test('is found', () => {
    expect(SHOWN.length).toBeGreaterThan(5);
  });

  test.each(SHOWN)('is what they print: $path, $begins', ({ block }) => {
    expect(RUNS.some(({ texts }) => texts.some((text) => text.includes(block)))).toBe(true);
  });
});

test('the report of a run with the defaults fits into 72 lines of 100 columns', () => {
  const [text = ''] = runOf('frameworks').texts;
  const lines = text.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.length).toBeLessThanOrEqual(72);
});

test('the page of the default run has at most 1 MB', () => {
  const { report } = runOf('frameworks');
  expect(Buffer.byteLength(pageText([report]))).toBeLessThan(MOST_BYTES);
});

test.each(['frameworks', 'cluster'])('no headline of the saved run of %s is invalid', (name) => {
  const record = readJson(join(ROOT, `docs/runs/${name}.json.gz`), [recordSchema]);
  expect(record.plan.cells.length).toBeGreaterThan(0);
  for (const cell of record.plan.cells) {
    expect(isInvalid(flagsOf(record, cell), loadOf(record.plan, cell.load).headline)).toBe(false);
  }
});
