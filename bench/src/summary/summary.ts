import {
  type Figure,
  type Figures,
  figuresOf,
  floorCellOf,
  headlineOf,
  rulesOf,
  samples,
  sum,
} from '../figures/figures.ts';
import { type ServiceFigures, serviceFiguresOf } from '../figures/services.ts';
import { type Estimate, estimate, pointOf } from '../math/statistics.ts';
import { compare, rank } from '../math/verdicts.ts';
import type { Load } from '../plan/loads.ts';
import { type Cell, isStandard } from '../plan/plan.ts';
import type { Topology } from '../plan/topology.ts';
import type { RunRecord } from '../record/record.ts';
import type { Target } from '../targets/targets.ts';
import { type CellContext, contextOf } from '../validity/context.ts';
import { type Flag, flagsOf, flagsOfPair, isInvalid, isSpoiled } from '../validity/flags.ts';

export interface CellSummary extends CellContext {
  /** `not reached`: the run ended before its first slice. */
  state: 'measured' | 'failed' | 'not reached';
  /** Null where it was not measured. */
  figures: Figures | null;
  /** Null also without services. */
  services: ServiceFigures | null;
  /** Reasons not to trust it, or its comparison with the floor. */
  flags: Flag[];
  /** Its place in its condition; null if it has no figures, or a flag spoils the figure that it is ranked by. */
  rank: { place: number; tied: boolean } | null;
}

/** The cells of one topology under one load, best first. */
export type Condition = ReturnType<typeof summarizeConditions>[number];
export type RankedPair = Condition['pairs'][number];

/** Whether a cell may be better than measured, because the generator was its limit. */
export function isGeneratorBound({ flags }: CellSummary, { aspect }: Figure): boolean {
  return aspect === 'throughput' && flags.some(({ code }) => code === 'GENERATOR_BOUND');
}

/** A figure of a cell over all launches that count. */
export function estimateOf({ slices }: CellSummary, figure: Figure): Estimate {
  return estimate(samples(slices, figure));
}

/** The cell of a target in a condition; undefined if the target was not to be measured there. */
export function cellIn({ cells }: Condition, target: Target): CellSummary | undefined {
  return cells.find((each) => each.target === target);
}

export function fewestFirst<Row extends { topology: Topology }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => a.topology.processes - b.topology.processes);
}

/** The conditions of a run that have cells, load by load. */
function summarizeConditions(record: RunRecord) {
  const { loads, topologies } = record.plan;
  const all = record.plan.cells.filter(isStandard).map((cell) => summarizeCell(record, cell));
  return loads.flatMap((load) => {
    return topologies.flatMap((topology) => {
      const cells = all.filter((cell) => cell.topology === topology && cell.load === load);
      return cells.length === 0 ? [] : [{ record, topology, load, ...ranked(record, load, cells) }];
    });
  });
}

/** Cells, best first, with ranks from all pairs together; cells that do not differ significantly share one. */
function ranked(record: RunRecord, load: Load, cells: CellSummary[]) {
  const figure = headlineOf(load);
  const badness = ({ figures }: CellSummary) => {
    const value = pointOf(figures?.headline);
    if (value === null) return Number.MAX_VALUE;
    return figure.better === 'less' ? value : -value;
  };
  const sorted = cells.toSorted((a, b) => badness(a) - badness(b));
  const valid = sorted.filter(({ figures, flags }) => figures && !isSpoiled(flags, figure.aspect));
  const sides = valid.map((cell) => ({
    target: cell.target,
    isBound: isGeneratorBound(cell, figure),
    samples: samples(cell.slices, figure),
  }));
  const all = sides.flatMap((better, index) => {
    return sides.slice(index + 1).map((worse) => ({
      better: better.target,
      worse: worse.target,
      sides: { own: worse.samples, other: better.samples },
      isLowerBound: { first: worse.isBound, second: better.isBound },
    }));
  });
  /** Every two ranked cells, the worse over the better, by the headline of the load; the verdicts are one family. */
  const pairs = compare(all, rulesOf(record, figure.better));
  const ranks = rank(valid, (item, leader) => {
    const pair = pairs.find(({ better, worse }) => {
      return better === leader.target && worse === item.target;
    });
    return pair?.comparison.verdict ?? "can't tell";
  });
  const withRanks = sorted.map((cell) => ({ ...cell, rank: ranks[valid.indexOf(cell)] ?? null }));
  return { cells: withRanks, pairs };
}

function summarizeCell(record: RunRecord, cell: Cell): CellSummary {
  const context = contextOf(record, cell);
  const { slices } = context;
  const floorCell = floorCellOf(record, cell);
  const floor = floorCell && contextOf(record, floorCell);
  return {
    ...context,
    state: stateOf(context),
    figures: slices.length === 0 ? null : figuresOf(context, floor?.slices ?? []),
    services: serviceFiguresOf(record, slices),
    flags: [...flagsOf(context), ...(floor ? flagsOfPair(context, floor) : [])],
    rank: null,
  };
}

function stateOf({ record, cell, slices }: CellContext): CellSummary['state'] {
  if (slices.length > 0) return 'measured';
  const hasFailed = record.failures.some(({ server }) => server === cell.server);
  return hasFailed ? 'failed' : 'not reached';
}

/** What every kind of run shows; each kind derives the rest from it. */
export type Summary = ReturnType<typeof summarize>;

export function summarize(record: RunRecord) {
  const measuredNs = sum(record.slices, ({ measurement }) => measurement.windowNs);
  const harnessNs = sum(record.slices, ({ measurement }) => measurement.cpu.harness.cpuNs);
  return {
    record,
    measuredNs,
    /** The harness's own CPU time inside windows over the length of the windows. */
    harnessShare: measuredNs === 0 ? 0 : harnessNs / measuredNs,
    conditions: summarizeConditions(record),
  };
}

/** Whether the headline of each load was measured for every cell that the run reached, and no flag makes it wrong. */
export function isValid({ record, conditions }: Summary): boolean {
  const lost = new Set(record.serviceFailures.flatMap(({ servers }) => servers));
  return conditions.every(({ load, cells }) => {
    return cells.every(({ cell, state, flags }) => {
      const isLost = state !== 'measured' && lost.has(cell.server);
      return state !== 'failed' && !isLost && !isInvalid(flags, load.headline);
    });
  });
}
