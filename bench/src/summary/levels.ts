import { busyOf, headlineOf, slicesOf, sum } from '../figures/figures.ts';
import { pointOf } from '../math/statistics.ts';
import type { Load } from '../plan/loads.ts';
import type { Topology } from '../plan/topology.ts';
import type { RunRecord } from '../record/record.ts';
import { isOfLoad, type Workload } from '../workload/declaration.ts';
import type { CellSummary, Condition } from './conditions.ts';

/** A load as every server of a run had it, in whichever topology. */
export interface Level {
  load: Load;
  /** The best first, by what the load is there for; CPU time counts with that of services. */
  rows: LevelRow[];
}

export interface LevelRow {
  summary: CellSummary;
  topology: Topology;
  /** How much of a core the server keeps busy, in the median slice. */
  busy: number;
  /** Answered as declared in the windows, of all that were sent or planned there. */
  answered: { ok: number; of: number };
  /** What the commands that check answers found out, by the names that the workload declares. */
  checked: Record<string, number>;
}

/** The levels of these loads, in their order; without those that the run has no cells of. */
export function summarizeLevels(
  record: RunRecord,
  conditions: readonly Condition[],
  ids: readonly string[],
  { checked }: Pick<Workload, 'checked'>,
): Level[] {
  const wanted = record.plan.loads.filter(({ id }) => ids.some((each) => isOfLoad(id, each)));
  return wanted.flatMap((load): Level[] => {
    const own = conditions.filter((condition) => condition.load === load);
    const rows = own.flatMap(({ topology, cells }) => {
      return cells.map((summary) => rowOf(record, summary, topology, checked));
    });
    const badness = badnessUnder(load);
    return rows.length === 0
      ? []
      : [{ load, rows: rows.toSorted((a, b) => badness(a) - badness(b)) }];
  });
}

function rowOf(
  record: RunRecord,
  summary: CellSummary,
  topology: Topology,
  declared: Workload['checked'],
): LevelRow {
  const slices = slicesOf(record, summary.cell);
  const judged = record.starts.find(({ server }) => server === summary.cell.server)?.judged ?? [];
  const checked = Object.entries(declared).flatMap(([name, { of }]) => {
    const values = judged.flatMap(({ figures }) => figures[name] ?? []);
    if (values.length === 0) return [];
    const value = of === 'mean' ? sum(values, (each) => each) / values.length : Math.min(...values);
    return [[name, value]];
  });
  return {
    summary,
    topology,
    busy: busyOf(slices),
    answered: {
      ok: sum(slices, ({ measurement }) => measurement.window.ok),
      of: sum(slices, ({ measurement: { pace, window } }) => pace?.planned ?? window.sent),
    },
    checked: Object.fromEntries(checked),
  };
}

/** What rows are ordered by: the less the better; what was not measured comes last. */
function badnessUnder(load: Load): (row: LevelRow) => number {
  return ({ summary: { outcome } }) => {
    if (outcome.state !== 'measured') return Number.MAX_VALUE;
    const { figures, services } = outcome;
    if (headlineOf(load).better === 'more') return -(pointOf(figures.throughput) ?? 0);
    const cpu = services?.total.cpuPerRequest ?? figures.cpuPerRequest;
    return pointOf(cpu) ?? Number.MAX_VALUE;
  };
}
