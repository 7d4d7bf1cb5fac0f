import { stringify } from 'csv-stringify/sync';
import type { Time } from '../figures/latency.ts';
import { type Estimate, pointOf } from '../math/statistics.ts';
import type { RunRecord } from '../record/record.ts';
import type { CellSummary, Summary } from '../summary/summary.ts';

const TIMES = ['mean', 'p50', 'p97_5', 'p99', 'max'] as const;

/**
 * Every cell of these runs as a row, in base units: requests/s, ns, bytes. A figure without an interval has no ends,
 * and a latency that is only known to be above something is empty.
 */
export function renderCsv(summaries: readonly Summary[]): string {
  const rows = summaries.flatMap(({ record, conditions }) => {
    return conditions.flatMap(({ cells }) => cells.map((cell) => rowOf(record, cell)));
  });
  // What a spreadsheet would take for a formula is text.
  return stringify(rows, { header: true, escape_formulas: true });
}

function rowOf(record: RunRecord, cell: CellSummary) {
  const { figures } = cell;
  return {
    suite: record.suite,
    startedAt: record.startedAt,
    target: cell.target.name,
    label: cell.target.label,
    topology: cell.topology.id,
    load: cell.load.id,
    state: cell.state,
    slices: figures?.slices,
    ...withEnds('throughput_per_s', figures?.throughput),
    ...withEnds('cpu_ns', figures?.cpuPerRequest),
    ...withEnds('times_floor', figures?.timesFloor),
    ...Object.fromEntries(TIMES.map((name) => [`${name}_ns`, known(figures?.latency?.[name])])),
    ok: figures?.ok,
    errors: figures?.errors,
    timeouts: figures?.timeouts,
    server_bytes: figures?.memory.server,
    flags: cell.flags.map(({ code }) => code).join(' '),
  };
}

function withEnds(name: string, estimate: Estimate | undefined) {
  const ends = estimate?.kind === 'interval' ? estimate : null;
  return {
    [name]: pointOf(estimate),
    [`${name}_low`]: ends?.low,
    [`${name}_high`]: ends?.high,
  };
}

function known(time: Time | undefined): number | null {
  return time?.kind === 'known' ? time.ns : null;
}
