import { mean } from 'simple-statistics';
import { busyOf, type Figure, THROUGHPUT } from '../figures/figures.ts';
import { pointOf } from '../math/statistics.ts';
import { canRun } from '../plan/resources.ts';
import { isPlain } from '../plan/topology.ts';
import type { RunRecord } from '../record/record.ts';
import { withoutRuntime } from '../targets/copies.ts';
import { isSameRuntime, type Runtime, runtimeName } from '../targets/runtime.ts';
import type { Target } from '../targets/targets.ts';
import { compareFamily } from './compare-family.ts';
import { type Condition, cellIn, estimateOf, type Summary } from './summary.ts';

export type OverheadTable = NonNullable<ReturnType<typeof overheadsOf>>;
export type Overhead = OverheadTable['rows'][number];
export type LowRate = NonNullable<ReturnType<typeof summarizeLowRate>>;

/** What each target costs more than the one it is built on, read where a run shows best what a request costs. */
export function summarizeOverheads({ conditions }: Summary) {
  return overheadsOf(costCondition(conditions));
}

/** What each variant costs more than its target, read where overheads are; without any whose overhead says the same. */
export function summarizeVariants({ conditions }: Summary) {
  return stepsOver(costCondition(conditions), ({ variantOf, over }) => {
    return variantOf === over ? null : variantOf;
  });
}

/** Where a run shows best what a request costs: under the cost load, as single processes, if there are any. */
export function costCondition(conditions: Condition[]): Condition | undefined {
  const isRead = ({ load }: Condition) => load.kind === 'closed' && load.headline === 'cpu';
  const plain = conditions.filter(({ topology }) => isPlain(topology));
  return plain.find(isRead) ?? conditions.find(isRead) ?? plain[0] ?? conditions[0];
}

/** The overheads at a low rate; null if there is none. */
export function summarizeLowRate({ conditions }: Summary) {
  const condition = conditions.find(({ load, topology }) => {
    const { kind, headline, saturates } = load;
    return isPlain(topology) && kind === 'closed' && headline === 'cpu' && !saturates;
  });
  const overheads = overheadsOf(condition);
  if (overheads === null) return null;
  const rates = overheads.condition.cells.flatMap((cell) => {
    return pointOf(estimateOf(cell, THROUGHPUT)) ?? [];
  });
  /** What each server answered per second of its turns, on average. */
  const ratePerS = mean(rates);
  return { ...overheads, ratePerS, busiest: busiestIn(overheads.condition) };
}

/** The server of a condition that was busy for the largest share of the time, and that share. */
export function busiestIn({ cells }: Condition) {
  return cells
    .map(({ target, slices }) => ({ target, busy: busyOf(slices) }))
    .reduce((most, each) => (each.busy > most.busy ? each : most));
}

/** The overheads in one condition; null if there are none. */
export function overheadsOf(condition: Condition | undefined) {
  return stepsOver(condition, ({ over }) => over);
}

/** CPU per request that each target takes more than the one of this name, ns. The verdicts are one family. */
function stepsOver(condition: Condition | undefined, baseOf: (target: Target) => string | null) {
  if (condition === undefined) return null;
  const { targets } = condition.record;
  const steps = targets.flatMap((target) => {
    const over = targets.find(({ name }) => name === baseOf(target));
    const summary = cellIn(condition, target);
    return over && summary ? [{ ...summary, over, base: cellIn(condition, over) }] : [];
  });
  const rows = compareFamily(steps).flatMap(({ target, over, comparison }) => {
    return comparison === null ? [] : [{ target, over, comparison }];
  });
  return rows.length === 0 ? null : { condition, rows };
}

/** A target in several topologies. */
export type TopologyComparison = ReturnType<typeof besidePlain>[number];
/** Its comparison is null for the plain process, and where there is none. */
export type TopologyRow = TopologyComparison['rows'][number];

/** Every target in each of these conditions, compared with itself as a plain process. */
export function besidePlain({ record, conditions }: Summary, figure?: Figure) {
  const plain = conditions.find(({ topology }) => isPlain(topology));
  const pairs = conditions.flatMap(({ cells }) => {
    return cells.map((cell) => ({ ...cell, base: plain && cellIn(plain, cell.target) }));
  });
  const compared = compareFamily(pairs, figure);
  return record.targets.map((target) => {
    return { target, rows: compared.filter((row) => row.target === target) };
  });
}

export type TopologyTable = NonNullable<ReturnType<typeof summarizeTopologies>>;

/** Throughput of every target in all topologies under the main load; null if all ran in the same one. */
export function summarizeTopologies(summary: Summary) {
  const [load] = summary.record.plan.loads;
  const conditions = summary.conditions.filter((condition) => condition.load === load);
  if (load === undefined || conditions.length < 2) return null;
  return { load, targets: besidePlain({ ...summary, conditions }, THROUGHPUT) };
}

/** What process managers cost each target in CPU per request; null if no plain process was measured. */
export function summarizeTax(summary: Summary) {
  const conditions = summary.conditions.filter(({ load }) => {
    return load.headline === 'cpu' && load.saturates;
  });
  const hasPlain = conditions.some(({ topology }) => isPlain(topology));
  return hasPlain ? besidePlain({ ...summary, conditions }) : null;
}

export type RuntimeTable = NonNullable<ReturnType<typeof summarizeRuntimes>>;
/** A target on one of several runtimes, compared with itself on the first one. */
export type RuntimeRow = RuntimeTable['rows'][number];

/** Every target on each runtime, read where overheads are; null with fewer than two runtimes. */
export function summarizeRuntimes({ record, conditions }: Summary) {
  const { targets, plan } = record;
  const runtimes = runtimesOf(record);
  const [base] = runtimes;
  const condition = costCondition(conditions);
  if (base === undefined || runtimes.length < 2 || condition === undefined) return null;

  const onBase = condition.cells.filter(({ target }) => isSameRuntime(target.runtime, base));
  const pairs = targets.flatMap((target) => {
    const { runtime } = target;
    const { name } = withoutRuntime(target);
    const summary = cellIn(condition, target);
    const first = onBase.find((each) => withoutRuntime(each.target).name === name);
    if (runtime === null || summary === undefined) return [];
    return [{ ...summary, runtime, base: first }];
  });
  /** Those that the process managers of this run can't keep. */
  const unkept = runtimes.filter((runtime) => {
    const own = targets.filter((target) => isSameRuntime(target.runtime, runtime));
    return own.some((target) => !plan.topologies.every((topology) => canRun(target, topology)));
  });
  return { condition, base, unkept, rows: compareFamily(pairs) };
}

/** The runtimes of a run, in the order of the command line; none if only the harness's own was used. */
export function runtimesOf({ targets }: RunRecord): Runtime[] {
  const all = targets.flatMap(({ runtime }) => runtime ?? []);
  return [...new Map(all.map((runtime) => [runtimeName(runtime), runtime])).values()];
}
