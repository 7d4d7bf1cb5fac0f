/** What METHOD's table tells of how servers settle is what the record says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { quantileSorted } from 'simple-statistics';
import { expect, test } from 'vitest';
import { CPU, slicesOf } from '../../src/figures/figures.ts';
import { readRecord, targetOf } from '../../src/record/record.ts';
import { ROOT } from './documents.ts';
import { tableRows } from './tables.ts';

/** Answers since the start, at which the columns begin and end. */
const EDGES = [0, 10, 30, 60, 100, 150, 250, 400].map((thousands) => thousands * 1000);

const RECORD = readRecord(join(ROOT, 'docs/runs/settling.json.gz'));
const ROWS = tableRows(readFileSync(join(ROOT, 'docs/METHOD.md'), 'utf8'));

test.each(RECORD.plan.cells)('$id settles as METHOD says', (cell) => {
  const { label } = targetOf(RECORD, cell.target);
  const columns = EDGES.slice(1).map(() => ({ costs: [] as number[], bytes: [] as number[] }));
  for (const own of Map.groupBy(slicesOf(RECORD, cell), ({ launch }) => launch).values()) {
    let sent = 0;
    for (const slice of own.toSorted((a, b) => a.round - b.round)) {
      const { ledger, memory } = slice.measurement;
      const middle = sent + ledger.sent / 2;
      sent += ledger.sent;
      const column = columns[EDGES.findLastIndex((edge) => middle >= edge)];
      column?.costs.push(CPU.inLaunch([slice]));
      column?.bytes.push(memory.server);
    }
  }
  const cells = columns.map(({ costs, bytes }) => {
    return costs.length === 0
      ? '–'
      : `${(quantile(costs, 0.25) / 1000).toFixed(1)}, ${(quantile(bytes, 0.5) / 1e6).toFixed(0)}`;
  });
  const told = ROWS.find((row) => row.length === EDGES.length && row[0] === label);
  expect(told).toEqual([label, ...cells]);
});

function quantile(values: number[], share: number): number {
  return quantileSorted(
    values.toSorted((a, b) => a - b),
    share,
  );
}
