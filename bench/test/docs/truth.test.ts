/** What METHOD's table tells of the truth runs in a row, misses included, is what their records say. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRecord } from '../../src/record/record.ts';
import { microseconds, plusMinus, ratioRange } from '../../src/report/format.ts';
import {
  type CostFinding,
  type Finding,
  findTruth,
  type TruthFindings,
} from '../../src/studies/truth/findings.ts';
import { ROOT } from './documents.ts';
import { tableRows } from './tables.ts';

const RUNS = globSync('docs/runs/truth/[0-9]*.json.gz', { cwd: ROOT }).sort();
const ROWS = tableRows(readFileSync(join(ROOT, 'docs/METHOD.md'), 'utf8')).filter(([run = '']) =>
  /^\d\d$/.test(run),
);

describe('the truth runs in a row', () => {
  test('are fifteen, all in one table', () => {
    expect(RUNS).toHaveLength(15);
    expect(ROWS.map(([run]) => run)).toEqual(RUNS.map((path) => basename(path, '.json.gz')));
  });

  test.each(RUNS)('are told as they were: %s', (path) => {
    const run = basename(path, '.json.gz');
    const findings = findTruth(readRecord(join(ROOT, path)));
    expect(ROWS.find(([first]) => first === run)).toEqual([run, ...cellsOf(findings)]);
  });
});

function cellsOf({ costs, twins, size, found }: TruthFindings): string[] {
  return [
    ...costs.map(costText),
    `${ratioRange(twins.ratio)}${unlessFound(twins.finding)}`,
    `${size.measured}${unlessFound(size.finding)}`,
    found ? 'found' : '**no**',
  ];
}

function costText({ measured, missNs, finding }: CostFinding): string {
  const off = missNs === 0 ? '' : `, ${microseconds(missNs)} off`;
  return `${plusMinus(measured, 1000)}${off}${unlessFound(finding)}`;
}

function unlessFound(finding: Finding): string {
  return finding === 'found' ? '' : ` **${finding}**`;
}
