/** The saved runs can be reported, and documents quote these reports. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pageText, readAny, reportOf } from '../../src/commands/report.ts';
import { renderDocument } from '../../src/report/text.ts';
import { plain } from '../report/look.ts';
import { DOCUMENTS, ROOT } from './documents.ts';

/** The widths, in columns, at which documents show reports. */
const WIDTHS = [100, 110];

const DEPTHS = [
  { details: false, explain: false },
  { details: false, explain: true },
  { details: true, explain: false },
];

/** The report of a saved run, and its texts at every depth and width. */
function reported(path: string) {
  const report = reportOf(readAny(join(ROOT, path)));
  const texts = DEPTHS.flatMap((depth) => {
    const document = report.document(depth);
    return WIDTHS.map((width) => renderDocument(document, plain(width)));
  });
  return { path, report, texts };
}

const RUNS = globSync('docs/runs/**/*.json.gz', { cwd: ROOT }).sort().map(reported);

test.each(RUNS)('$path can be reported', ({ texts }) => {
  for (const text of texts) expect(text).toMatch(/^overhead \S+\nMeasured on /);
});

/** Code blocks with the line below the head of a table, or with a figure and its interval. */
const SHOWN = DOCUMENTS.flatMap(({ path, blocks }) => {
  const ofReports = blocks.filter((block) => /────|\d ±\d/.test(block));
  return ofReports.map((block) => ({ path, block, begins: block.split('\n')[0] }));
});

test('documents show saved runs', () => {
  expect(SHOWN.length).toBeGreaterThan(5);
});

test.each(SHOWN)('what $path shows is in a report of a saved run: $begins', ({ block }) => {
  expect(RUNS.some(({ texts }) => texts.some((text) => text.includes(block)))).toBe(true);
});

describe('the run with the defaults', () => {
  const run = RUNS.find(({ path }) => path === 'docs/runs/frameworks.json.gz');
  if (run === undefined) throw new Error('it is not saved');
  const [text = ''] = run.texts;
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

  test('has a report that fits into 72 lines of 100 columns', () => {
    const lines = text.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.length).toBeLessThanOrEqual(72);
  });

  test('has a page of at most 1 MB', () => {
    expect(Buffer.byteLength(pageText([run.report]))).toBeLessThan(1e6);
  });

  test('has the figures that the README says of its pictures', () => {
    const [, described = ''] = /page\.png"[^>]* alt="([^"]*)"/.exec(readme) ?? [];
    const figures = described.match(/\+\d+\.\d+/g) ?? [];
    expect(figures).toHaveLength(4);
    for (const figure of figures) expect(text).toContain(`${figure} ±`);
  });

  test('has the figures by which the README says what ± means', () => {
    const said = /between (\S+) and (\S+) where it says\s+`((\S+) ±(\S+))`/.exec(readme);
    const [low, high, shown, value, half] = said?.slice(1) ?? [];
    expect(text).toContain(` ${shown} `);
    expect(low).toBe((Number(value) - Number(half)).toFixed(2));
    expect(high).toBe((Number(value) + Number(half)).toFixed(2));
  });
});

test.each(['frameworks', 'cluster'])('no headline of the saved run of %s is invalid', (name) => {
  const run = RUNS.find(({ path }) => path === `docs/runs/${name}.json.gz`);
  expect(run?.report.exitCode).toBe(0);
});
