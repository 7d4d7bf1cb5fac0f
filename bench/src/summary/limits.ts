import { type Figure, throttlingShares } from '../figures/figures.ts';
import { busyCores } from '../math/bounds.ts';
import { pointOf } from '../math/statistics.ts';
import { UNKNOWN } from '../math/verdicts.ts';
import type { Load } from '../plan/loads.ts';
import { BUSY_AT_MOST, processesFor, type Topology } from '../plan/topology.ts';
import type { RunRecord } from '../record/record.ts';
import { isLimited } from '../targets/copies.ts';
import type { JudgedName } from '../workload/declaration.ts';
import { compareFamilies, compareFamily, type Reading } from './compare-family.ts';
import { figureNamed } from './named-figures.ts';
import { type CellSummary, estimateOf, fewestFirst, type Summary } from './summary.ts';

export type LimitTable = ReturnType<typeof summarizeLimits>[number];
export type LimitRow = ReturnType<typeof rowOf>;
export type LimitSetting = ReturnType<typeof settingsOf>[number];

/** Every target under its limits, load by load; empty if no server had one. */
export function summarizeLimits({ record, conditions }: Summary) {
  const limited = record.targets.filter(isLimited);
  if (limited.length === 0) return [];
  // A rate says more about a limit than requests that come alone.
  const loads = record.plan.loads.filter(({ kind, saturates }) => kind === 'open' || saturates);
  return loads.map((load) => {
    const cells = conditions.flatMap((each) => (each.load.id === load.id ? each.cells : []));
    /** Target by target, from the lowest limit, topology by topology. */
    const rows = limited.flatMap((target) => {
      return cells.filter((each) => each.target === target).map(rowOf);
    });
    return { load, rows, settings: settingsOf(record, load, rows) };
  });
}

function rowOf(summary: CellSummary) {
  const { record, slices } = summary;
  const switches = (figure: JudgedName) => estimateOf(summary, figureNamed(record, { figure }));
  return {
    ...summary,
    /** Null if nothing was measured. */
    held: throttlingShares(slices),
    /** Away from its threads, for each answer. */
    switches: {
      voluntary: switches('voluntary switches'),
      involuntary: switches('involuntary switches'),
    },
  };
}

/** Only for limits that were measured in several topologies. For each reading all comparisons are one family. */
function settingsOf(record: RunRecord, load: Load, rows: LimitRow[]) {
  const measured = rows.filter(({ state }) => state === 'measured');
  const pairs = [...Map.groupBy(measured, ({ target }) => target).values()].flatMap((own) => {
    // A limit makes servers slow to settle: flags stand in their rows, and withhold no verdict.
    const [base, ...others] = fewestFirst(own).map((row) => ({ ...row, flags: [] }));
    return others.map((row) => ({ ...row, base }));
  });
  // The first of them decides.
  const names = load.kind === 'closed' ? (['throughput'] as const) : (['p99', 'p95'] as const);
  const figures = names.map((name) => ({ name, figure: figureNamed(record, { figure: name }) }));
  const deciding = figureNamed(record, { figure: names[0] });
  const compared = compareFamilies(pairs, figures);
  return [...Map.groupBy(compared, ({ base }) => base)].flatMap(([least, others]) => {
    if (least === undefined) return [];
    /** The topology with the fewest processes or threads, with which the others are compared. */
    const { target, topology: base } = least;
    /** Null without a rate, or without a CPU limit. */
    const demand = demandOf(load, least);
    /** The best topology for this limit; null if unknown. */
    const wants = wantedOf(base, others, deciding);
    return [{ target, base, others, demand, wants }];
  });
}

/** The CPU that a rate needs, by the CPU time of its requests. */
function demandOf(load: Load, { target: { cpuLimit }, figures }: LimitRow) {
  const cpuNs = pointOf(figures?.cpuPerRequest);
  if (load.kind !== 'open' || cpuLimit === null || cpuNs === null) return null;
  /** How many they keep busy. */
  const cores = busyCores(load.ratePerS, cpuNs);
  const hasRoom = cores <= BUSY_AT_MOST * cpuLimit;
  /** The fewest that are not too busy; null if the limit leaves too little room for any number. */
  const processes = hasRoom ? processesFor(load.ratePerS, cpuNs, cpuLimit) : null;
  return { cores, processes };
}

/**
 * Of the numbers of processes or threads that are shown to be better than the least, the smallest that the best of them
 * is not shown to beat; the least itself if none is better, and null if that can't be told.
 * @param others those with the fewest processes first
 */
function wantedOf(
  base: Topology,
  others: readonly (LimitRow & { readings: Reading<JudgedName>[] })[],
  figure: Figure,
): Topology | null {
  const compared = others.map(({ readings: [first], ...row }) => {
    const { verdict, ratio } = first?.comparison ?? UNKNOWN;
    const times = pointOf(ratio) ?? 1;
    return { ...row, verdict, goodness: figure.better === 'more' ? times : -times };
  });
  const better = compared.filter(({ verdict }) => verdict === 'faster');
  const [best] = better.toSorted((a, b) => b.goodness - a.goodness);
  if (best === undefined) {
    return compared.some(({ verdict }) => verdict === "can't tell") ? null : base;
  }
  const pairs = better.map((each) => ({ ...best, base: each }));
  const againstBest = compareFamily(pairs, figure);
  const fewest = againstBest.find(({ comparison }) => comparison?.verdict !== 'faster');
  return fewest?.base.topology ?? null;
}
