import { stringify } from 'csv-stringify/sync';
import type { Time } from '../figures/latency.ts';
import { type Estimate, pointOf } from '../math/statistics.ts';
import type { CellSummary, Summary } from '../summary/summary.ts';

const TIMES = ['mean', 'p50', 'p97_5', 'p99', 'max'] as const;

/** Every cell as a row, in base units: requests/s, ns, bytes. A latency only known to be above something is empty. */
export function renderCsv(summaries: readonly Summary[]): string {
  const cells = summaries.flatMap(({ conditions }) => conditions.flatMap((each) => each.cells));
  // What a spreadsheet would take for a formula is text.
  return stringify(cells.map(rowOf), { header: true, escape_formulas: true });
}

function rowOf({ record, target, topology, load, state, figures, flags }: CellSummary) {
  return {
    suite: record.suite,
    startedAt: record.startedAt,
    target: target.name,
    label: target.label,
    topology: topology.id,
    load: load.id,
    state,
    slices: figures?.slices,
    ...withEnds('throughput_per_s', figures?.throughput),
    ...withEnds('cpu_ns', figures?.cpuPerRequest),
    ...withEnds('times_floor', figures?.timesFloor),
    ...Object.fromEntries(TIMES.map((name) => [`${name}_ns`, known(figures?.latency?.[name])])),
    ok: figures?.ok,
    errors: figures?.errors,
    timeouts: figures?.timeouts,
    server_bytes: figures?.memory.server,
    flags: flags.map(({ code }) => code).join(' '),
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
