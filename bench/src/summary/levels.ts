import { busyOf, headlineOf, sum } from '../figures/figures.ts';
import { cpuOfRole, rolesOf } from '../figures/services.ts';
import { pointOf } from '../math/statistics.ts';
import type { Workload } from '../workload/declaration.ts';
import { costsOf } from './compare-family.ts';
import { busiestIn } from './comparisons.ts';
import { type CellSummary, type Condition, estimateOf } from './summary.ts';

/** A load on every server of a run, in all topologies. */
export type Level = ReturnType<typeof summarizeLevels>[number];
export type LevelRow = Level['rows'][number];

export function summarizeLevels(conditions: Condition[], { checked }: Pick<Workload, 'checked'>) {
  return [...Map.groupBy(conditions, ({ load }) => load)].map(([load, own]) => {
    const cells = own.flatMap((condition) => condition.cells);
    const sorted = cells.toSorted((a, b) => badnessOf(a) - badnessOf(b));
    return { load, rows: sorted.map((summary) => rowOf(summary, checked)) };
  });
}

function rowOf(summary: CellSummary, declared: Workload['checked']) {
  const { record, slices } = summary;
  const judged = record.starts.find(({ server }) => server === summary.cell.server)?.judged ?? [];
  const checked = Object.entries(declared).flatMap(([name, { of }]): [string, number][] => {
    const values = judged.flatMap(({ figures }) => figures[name] ?? []);
    if (values.length === 0) return [];
    const mean = sum(values, (each) => each) / values.length;
    return [[name, of === 'mean' ? mean : Math.min(...values)]];
  });
  return {
    ...summary,
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
function badnessOf({ load, figures, services }: CellSummary): number {
  if (figures === null) return Number.MAX_VALUE;
  if (headlineOf(load).better === 'more') return -(pointOf(figures.throughput) ?? 0);
  const cpu = services?.total.cpuPerRequest ?? figures.cpuPerRequest;
  return pointOf(cpu) ?? Number.MAX_VALUE;
}

/** The CPU time of a request to each server that is no variant. */
export type MainTable = NonNullable<ReturnType<typeof summarizeMains>>;
export type MainRow = MainTable['rows'][number];

/** The table with the target of this name as the base, or else the first; null if none was measured. */
export function summarizeMains(condition: Condition, baseName: string) {
  const { record } = condition;
  const mains = condition.cells.filter(({ target, state }) => {
    return target.variantOf === null && state !== 'not reached';
  });
  const base = (mains.find(({ target }) => target.name === baseName) ?? mains[0])?.target;
  if (base === undefined) return null;
  const roles = rolesOf(record);
  const steps = mains.map(({ target }) => ({ target, over: base }));
  const costOf = costsOf(condition, roles, steps);
  const rows = mains.map((summary) => ({
    ...summary,
    /** CPU time of a request, ns, in the order of the roles. */
    cpu: roles.map((role) => estimateOf(summary, cpuOfRole(record, role))),
    /** Null for the base, and if the two share no launch. */
    beside: costOf({ target: summary.target, over: base }),
    busy: busyOf(summary.slices),
  }));
  /** Of all servers of the condition, variants included. */
  const busiest = busiestIn(condition);
  return { condition, roles, base, rows, busiest };
}
