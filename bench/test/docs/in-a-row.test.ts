/** What METHOD's table tells of frameworks runs in a row is what their records say. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type RunRecord, readRecord } from '../../src/record/record.ts';
import { duration, percent, signedPlusMinus } from '../../src/report/format.ts';
import { summarizeOverheads } from '../../src/summary/comparisons.ts';
import { summarize } from '../../src/summary/summary.ts';
import { ROOT } from './documents.ts';
import { tableRows } from './tables.ts';

const RUNS = globSync('docs/runs/{frameworks,{frameworks,quick}-[0-9]}.json.gz', { cwd: ROOT });
/** In the order of the columns. */
const STEPS = ['fastify-app', 'nest-fastify', 'express-app', 'nest-express'];
const ROWS = tableRows(readFileSync(join(ROOT, 'docs/METHOD.md'), 'utf8')).filter(([run = '']) =>
  /^(frameworks|(frameworks|quick)-\d)$/.test(run),
);

describe('frameworks runs in a row', () => {
  test('are three with the defaults and five quick ones, all in one table', () => {
    const names = RUNS.map((path) => basename(path, '.json.gz')).sort();
    expect(names.filter((name) => name.startsWith('frameworks'))).toHaveLength(3);
    expect(names.filter((name) => name.startsWith('quick'))).toHaveLength(5);
    expect(ROWS.map(([run]) => run)).toEqual(names);
  });

  test.each(RUNS)('are told as they were: %s', (path) => {
    const run = basename(path, '.json.gz');
    const record = readRecord(join(ROOT, path));
    expect(ROWS.find(([first]) => first === run)).toEqual([run, ...cellsOf(record)]);
  });
});

function cellsOf(record: RunRecord): string[] {
  const { conditions, measuredNs } = summarize(record);
  const steps = summarizeOverheads(record, conditions)?.rows ?? [];
  const stepOf = (name: string) => {
    const step = steps.find(({ target }) => target.name === name);
    return step === undefined ? 'none' : signedPlusMinus(step.comparison.difference, 1000);
  };
  const { wallNs } = record;
  return [duration(wallNs), percent(measuredNs / wallNs), ...STEPS.map(stepOf)];
}
