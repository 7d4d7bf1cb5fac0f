/** What documents show of saved runs is what these runs print. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readAny, reportOf } from '../../src/commands/report.ts';
import { renderDocument } from '../../src/report/terminal/render.ts';
import { plain } from '../report/look.ts';
import { DOCUMENTS, ROOT } from './documents.ts';

/** The widths, in columns, at which documents show reports. */
const WIDTHS = [100, 110];

/** In short, with the flags explained, and everything. */
const DEPTHS = [
  { details: false, explain: false },
  { details: false, explain: true },
  { details: true, explain: false },
];

/** Every report of a saved run, at every depth and width. */
const REPORTS = globSync('docs/runs/**/*.json', { cwd: ROOT }).flatMap((path) => {
  const report = reportOf(readAny(join(ROOT, path)));
  return DEPTHS.flatMap((depth) => {
    const document = report.document(depth);
    return WIDTHS.map((width) => renderDocument(document, plain(width)));
  });
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
    expect(REPORTS.some((report) => report.includes(block))).toBe(true);
  });
});

test('the report of a run with the defaults fits into 70 lines of 100 columns', () => {
  const report = reportOf(readAny(join(ROOT, 'docs/runs/frameworks.json')));
  const document = report.document({ details: false, explain: false });
  const lines = renderDocument(document, plain(100)).trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(70);
});
