import { stringify } from 'csv-stringify/sync';
import type { Figures } from '../figures/figures.ts';
import type { Time } from '../figures/latency.ts';
import { type Estimate, pointOf } from '../math/statistics.ts';
import type { RunRecord } from '../record/record.ts';
import type { CellSummary, Condition } from '../summary/conditions.ts';
import type { Summary } from '../summary/summary.ts';

/**
 * Every cell of these runs as a row, in base units: requests/s, ns, bytes. A figure without an interval has no ends,
 * and a latency that is only known to be above something is empty.
 */
export function renderCsv(summaries: readonly Summary[]): string {
  const rows = summaries.flatMap(({ record, conditions }) => {
    return conditions.flatMap((condition) => {
      return condition.cells.map((cell): Row => ({ record, condition, cell }));
    });
  });
  const lines = rows.map((row) => {
    const { outcome } = row.cell;
    const figures = outcome.state === 'measured' ? outcome.figures : null;
    return COLUMNS.map(([, cellOf]) => cellOf(row, figures));
  });
  const columns = COLUMNS.map(([name]) => name);
  // What a spreadsheet would take for a formula is text.
  return stringify(lines, { header: true, columns, escape_formulas: true });
}

interface Row {
  record: RunRecord;
  condition: Condition;
  cell: CellSummary;
}

type CellOf = (row: Row, figures: Figures | null) => string | number | null | undefined;
type Column = [name: string, cellOf: CellOf];

const COLUMNS: readonly Column[] = [
  ['suite', ({ record }) => record.suite],
  ['startedAt', ({ record }) => record.startedAt],
  ['target', ({ cell }) => cell.target.name],
  ['label', ({ cell }) => cell.target.label],
  ['topology', ({ condition }) => condition.topology.id],
  ['load', ({ condition }) => condition.load.id],
  ['state', ({ cell }) => cell.outcome.state],
  ['slices', (_, figures) => figures?.slices],
  ...estimateColumns('throughput_per_s', ({ throughput }) => throughput),
  ...estimateColumns('cpu_ns', ({ cpuPerRequest }) => cpuPerRequest),
  ...estimateColumns('times_floor', ({ timesFloor }) => timesFloor),
  ...(['mean', 'p50', 'p97_5', 'p99', 'max'] as const).map((name): Column => {
    return [`${name}_ns`, (_, figures) => known(figures?.latency?.[name])];
  }),
  ['ok', (_, figures) => figures?.ok],
  ['errors', (_, figures) => figures?.errors],
  ['timeouts', (_, figures) => figures?.timeouts],
  ['server_bytes', (_, figures) => figures?.memory.server],
  ['flags', ({ cell }) => cell.flags.map(({ code }) => code).join(' ')],
];

function estimateColumns(name: string, of: (figures: Figures) => Estimate): Column[] {
  const column = (ending: string, valueIn: (estimate: Estimate) => number | null): Column => {
    return [`${name}${ending}`, (_, figures) => figures && valueIn(of(figures))];
  };
  return [
    column('', pointOf),
    column('_low', (estimate) => (estimate.kind === 'interval' ? estimate.low : null)),
    column('_high', (estimate) => (estimate.kind === 'interval' ? estimate.high : null)),
  ];
}

function known(time: Time | undefined): number | null {
  return time?.kind === 'known' ? time.ns : null;
}
