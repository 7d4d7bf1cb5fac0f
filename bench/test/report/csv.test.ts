import { expect, test } from 'vitest';
import { renderCsv } from '../../src/report/csv.ts';
import { summarize } from '../../src/summary/summary.ts';
import { present } from '../support/summaries.ts';
import { cluster, cutShort, frameworks } from './golden-records.ts';

/** Rows by the names of their columns; no cell of these records holds a comma. */
function rowsOf(csv: string): Record<string, string>[] {
  const lines = csv.trimEnd().split('\n');
  const [names = [], ...rows] = lines.map((line) => line.split(','));
  return rows.map((row) => {
    return Object.fromEntries(names.map((name, place) => [name, row[place] ?? '']));
  });
}

test('a CSV file has a row for each cell, with its figures in base units', () => {
  const summary = summarize(frameworks());
  const rows = rowsOf(renderCsv([summary]));
  const cells = summary.conditions.flatMap((condition) => condition.cells);
  expect(rows).toHaveLength(cells.length);
  for (const [index, { cell, state, figures }] of cells.entries()) {
    const { load, topology, target } = cell;
    const { cpuPerRequest, latency } = present(figures, cell.id);
    if (cpuPerRequest.kind !== 'interval') throw new Error('there are several launches');
    const { value, low } = cpuPerRequest;
    expect(rows[index]).toMatchObject({
      ...{ load, topology, target, state, p50_ns: String(latency?.p50.ns) },
      ...{ cpu_ns: String(value), cpu_ns_low: String(low) },
    });
  }
});

test('what is not known is empty, and several runs share one head', () => {
  const rows = rowsOf(renderCsv([summarize(cutShort()), summarize(cluster())]));
  expect(rows.find(({ state }) => state === 'failed')).toMatchObject({ throughput_per_s: '' });
  expect(new Set(rows.map(({ suite }) => suite))).toEqual(new Set(['frameworks', 'cluster']));
});

test('a label that a spreadsheet would take for a formula is text', () => {
  const record = frameworks();
  const targets = record.targets.map((target) => ({ ...target, label: '=1+1' }));
  expect(renderCsv([summarize({ ...record, targets })])).toContain(",'=1+1,");
});
