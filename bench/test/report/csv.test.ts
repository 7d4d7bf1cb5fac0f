import { expect, test } from 'vitest';
import { renderCsv } from '../../src/report/csv.ts';
import { summarize } from '../../src/summary/summary.ts';
import { cluster, cutShort, frameworks } from './golden-records.ts';

/** Rows by the names of their columns; no cell of these records holds a comma. */
function rowsOf(csv: string): Record<string, string>[] {
  const [head = '', ...lines] = csv.trimEnd().split('\n');
  const names = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
  });
}

test('a CSV file has a row for each cell, with its figures in base units', () => {
  const summary = summarize(frameworks());
  const rows = rowsOf(renderCsv([summary]));
  const cells = summary.conditions.flatMap((condition) => condition.cells);
  expect(rows).toHaveLength(cells.length);
  for (const [index, { cell, outcome }] of cells.entries()) {
    const { load, topology, target } = cell;
    expect(rows[index]).toMatchObject({ load, topology, target, state: outcome.state });
    if (outcome.state !== 'measured') throw new Error('every cell of this record was measured');
    const { cpuPerRequest, latency } = outcome.figures;
    if (cpuPerRequest.kind !== 'interval') throw new Error('there are several launches');
    expect(Number(rows[index]?.cpu_ns)).toBe(cpuPerRequest.value);
    expect(Number(rows[index]?.cpu_ns_low)).toBe(cpuPerRequest.low);
    expect(Number(rows[index]?.p50_ns)).toBe(latency?.p50.ns);
  }
});

test('what is not known is empty, and of several runs there is one head', () => {
  const rows = rowsOf(renderCsv([summarize(cutShort()), summarize(cluster())]));
  expect(rows.map(({ state }) => state)).toContain('failed');
  expect(rows.find(({ state }) => state === 'failed')?.throughput_per_s).toBe('');
  expect(rows.filter(({ suite }) => suite === 'suite')).toEqual([]);
  expect(new Set(rows.map(({ suite }) => suite))).toEqual(new Set(['frameworks', 'cluster']));
});

test('a label that a program of tables would take for a formula is text', () => {
  const record = frameworks();
  const targets = record.targets.map((target) => ({ ...target, label: '=1+1' }));
  expect(renderCsv([summarize({ ...record, targets })])).toContain(",'=1+1,");
});
