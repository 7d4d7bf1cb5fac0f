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

/** Every report of a saved run, at every width. */
const REPORTS = globSync('docs/runs/**/*.json', { cwd: ROOT }).flatMap((path) => {
  const { document } = reportOf(readAny(join(ROOT, path)), { details: false });
  return WIDTHS.map((width) => renderDocument(document, plain(width)));
});

/** Blocks with the line that reports draw below the heads of their tables. */
const SHOWN = DOCUMENTS.flatMap(({ path, blocks }) => {
  const ofReports = blocks.filter((block) => block.includes('────'));
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
