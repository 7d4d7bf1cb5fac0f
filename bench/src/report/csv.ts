import { stringify } from 'csv-stringify/sync';
import type { Time } from '../figures/latency.ts';
import type { Estimate } from '../math/statistics.ts';
import type { CellSummary, Condition } from '../summary/conditions.ts';
import type { Summary } from '../summary/summary.ts';

/**
 * Every cell of these runs as a row, in base units: requests/s, ns, bytes. A figure without an interval has
 * no ends, and a latency that is only known to be above something has none.
 */
export function renderCsv(summaries: readonly Summary[]): string {
  const rows = summaries.flatMap(({ record: { suite, startedAt }, conditions }) => {
    return conditions.flatMap((condition) => {
      return condition.cells.map((cell) => ({ suite, startedAt, ...rowOf(condition, cell) }));
    });
  });
  // What a program of tables would take for a formula is text.
  return stringify(rows, { header: true, columns: COLUMNS, escape_formulas: true });
}

const ENDS = ['', '_low', '_high'];
const COLUMNS = [
  ...['suite', 'startedAt', 'target', 'label', 'topology', 'load', 'state', 'slices'],
  ...ENDS.map((end) => `throughput_per_s${end}`),
  ...ENDS.map((end) => `cpu_ns${end}`),
  ...ENDS.map((end) => `times_floor${end}`),
  ...['mean_ns', 'p50_ns', 'p97_5_ns', 'p99_ns', 'max_ns'],
  ...['ok', 'errors', 'timeouts', 'server_bytes', 'flags'],
];

type Row = Record<string, string | number | null>;

function rowOf({ topology, load }: Condition, { target, outcome, flags }: CellSummary): Row {
  const place = {
    target: target.name,
    label: target.label,
    topology: topology.id,
    load: load.id,
    state: outcome.state,
    flags: flags.map(({ code }) => code).join(' '),
  };
  if (outcome.state !== 'measured') return place;
  const { throughput, cpuPerRequest, timesFloor, latency, ...figures } = outcome.figures;
  return {
    ...place,
    slices: figures.slices,
    ...estimateIn('throughput_per_s', throughput),
    ...estimateIn('cpu_ns', cpuPerRequest),
    ...estimateIn('times_floor', timesFloor),
    mean_ns: known(latency?.mean),
    p50_ns: known(latency?.p50),
    p97_5_ns: known(latency?.p97_5),
    p99_ns: known(latency?.p99),
    max_ns: known(latency?.max),
    ok: figures.ok,
    errors: figures.errors,
    timeouts: figures.timeouts,
    server_bytes: figures.memory.server,
  };
}

function estimateIn(name: string, estimate: Estimate): Row {
  if (estimate.kind === 'none') return {};
  const { value } = estimate;
  if (estimate.kind === 'point') return { [name]: value };
  return { [name]: value, [`${name}_low`]: estimate.low, [`${name}_high`]: estimate.high };
}

function known(time: Time | undefined): number | null {
  return time?.kind === 'known' ? time.ns : null;
}
