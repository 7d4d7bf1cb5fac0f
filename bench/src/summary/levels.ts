import { busyOf, headlineOf, sum } from '../figures/figures.ts';
import { pointOf } from '../math/statistics.ts';
import type { RunRecord } from '../record/record.ts';
import type { Workload } from '../workload/declaration.ts';
import type { CellSummary, Condition } from './conditions.ts';

/** A load on every server of a run, in all topologies. */
export type Level = ReturnType<typeof summarizeLevels>[number];
export type LevelRow = Level['rows'][number];

/** The levels of the loads of these conditions, in their order. */
export function summarizeLevels(
  record: RunRecord,
  conditions: readonly Condition[],
  { checked }: Pick<Workload, 'checked'>,
) {
  return [...Map.groupBy(conditions, ({ load }) => load)].map(([load, own]) => {
    const cells = own.flatMap((condition) => condition.cells);
    const sorted = cells.toSorted((a, b) => badnessOf(a) - badnessOf(b));
    return { load, rows: sorted.map((summary) => rowOf(record, summary, checked)) };
  });
}

function rowOf(record: RunRecord, summary: CellSummary, declared: Workload['checked']) {
  const { topology, slices } = summary;
  const judged = record.starts.find(({ server }) => server === summary.cell.server)?.judged ?? [];
  const checked = Object.entries(declared).flatMap(([name, { of }]): [string, number][] => {
    const values = judged.flatMap(({ figures }) => figures[name] ?? []);
    if (values.length === 0) return [];
    const mean = sum(values, (each) => each) / values.length;
    return [[name, of === 'mean' ? mean : Math.min(...values)]];
  });
  return {
    summary,
    topology,
    /** The share of a core that the server keeps busy, in the median slice. */
    busy: busyOf(slices),
    /** Answered as declared in the windows, of all that were sent or planned there. */
    answered: {
      ok: sum(slices, ({ measurement }) => measurement.window.ok),
      of: sum(slices, ({ measurement: { pace, window } }) => pace?.planned ?? window.sent),
    },
    /** What the commands that check answers found, by the names in the workload's declaration. */
    checked: Object.fromEntries(checked),
  };
}

/** Rows are sorted by the headline of the load, CPU time with that of services; what was not measured comes last. */
function badnessOf({ load, outcome }: CellSummary): number {
  if (outcome.state !== 'measured') return Number.MAX_VALUE;
  const { figures, services } = outcome;
  if (headlineOf(load).better === 'more') return -(pointOf(figures.throughput) ?? 0);
  const cpu = services?.total.cpuPerRequest ?? figures.cpuPerRequest;
  return pointOf(cpu) ?? Number.MAX_VALUE;
}
