import {
  type Figure,
  type Figures,
  figuresOf,
  floorCellOf,
  headlineIn,
  headlineOf,
  sidesOf,
  slicesOf,
} from '../figures/figures.ts';
import { type ServiceFigures, serviceFiguresOf } from '../figures/services.ts';
import { type Ranked, rank } from '../math/ranks.ts';
import { pointOf } from '../math/statistics.ts';
import { type Comparison, compare } from '../math/verdicts.ts';
import type { Load } from '../plan/loads.ts';
import { type Cell, isStandard } from '../plan/plan.ts';
import type { Topology } from '../plan/topology.ts';
import { type Failure, type RunRecord, targetOf } from '../record/record.ts';
import type { Target } from '../targets/targets.ts';
import { type Flag, flagsOf, flagsOfPair, isSpoiled } from '../validity/flags.ts';

/** What became of a cell. */
export interface CellSummary {
  cell: Cell;
  target: Target;
  outcome:
    | { state: 'measured'; figures: Figures; services: ServiceFigures | null }
    | { state: 'failed'; failure: Failure }
    /** The run ended before its first slice. */
    | { state: 'not reached' };
  /** Why not to trust it, or its comparison with the floor. */
  flags: Flag[];
  /** Its place among the cells of its condition; null where it has no figures, or a flag spoils what they are ranked by. */
  rank: Pick<Ranked<Cell>, 'place' | 'tied'> | null;
}

/** The cells of one topology under one load, the best one first. */
export interface Condition {
  topology: Topology;
  load: Load;
  cells: CellSummary[];
  /** Every two cells that have a rank, by the figure that the load is there for. */
  pairs: RankedPair[];
}

/** What a cell has over a better one, and what that says among all pairs of the condition. */
export interface RankedPair {
  better: Target;
  worse: Target;
  comparison: Comparison;
}

/** Whether a cell may truly be better than measured, since the generator was its limit. */
export function isGeneratorBound({ flags }: CellSummary, { aspect }: Figure): boolean {
  return aspect === 'throughput' && flags.some(({ code }) => code === 'GENERATOR_BOUND');
}

/** What became of a target in a condition; undefined where it was not to be measured there. */
export function cellIn({ cells }: Condition, target: Target): CellSummary | undefined {
  return cells.find((each) => each.target === target);
}

/** What became of a target in a topology under a load; undefined where it was not to be measured so. */
export function cellAt(
  conditions: readonly Condition[],
  { target, topology, load }: { target: Target; topology: Topology; load: Load },
): CellSummary | undefined {
  const found = conditions.find((each) => each.topology === topology && each.load === load);
  return found && cellIn(found, target);
}

/** The conditions of a run that have cells, load by load. */
export function summarizeConditions(record: RunRecord): Condition[] {
  const { loads, topologies } = record.plan;
  return loads.flatMap((load) => {
    return topologies.flatMap((topology) => summarizeCondition(record, topology, load));
  });
}

function summarizeCondition(record: RunRecord, topology: Topology, load: Load): Condition[] {
  const cells = record.plan.cells
    .filter((cell) => cell.topology === topology.id && cell.load === load.id && isStandard(cell))
    .map((cell) => summarizeCell(record, cell));
  if (cells.length === 0) return [];
  const { better } = headlineOf(load);
  const badness = ({ outcome }: CellSummary) => {
    const value = outcome.state === 'measured' ? pointOf(headlineIn(outcome.figures, load)) : null;
    if (value === null) return Number.POSITIVE_INFINITY;
    return better === 'less' ? value : -value;
  };
  // Without a figure there is nothing to order: two infinities differ by NaN.
  const sorted = cells.sort((a, b) => (badness(a) === badness(b) ? 0 : badness(a) - badness(b)));
  return [{ topology, load, ...ranked(record, load, sorted) }];
}

/** The cells with their ranks, by all pairs together: those that can't be told apart share one. */
function ranked(
  record: RunRecord,
  load: Load,
  cells: CellSummary[],
): Pick<Condition, 'cells' | 'pairs'> {
  const figure = headlineOf(load);
  const valid = cells.filter(({ outcome, flags }) => {
    return outcome.state === 'measured' && !isSpoiled(flags, figure.aspect);
  });
  const all = valid.flatMap((better, index) => {
    return valid.slice(index + 1).map((worse) => ({ better, worse }));
  });
  const compared = compare(
    all.map(({ better, worse }) => ({
      sides: sidesOf(slicesOf(record, worse.cell), slicesOf(record, better.cell), figure),
      isLowerBound: {
        first: isGeneratorBound(worse, figure),
        second: isGeneratorBound(better, figure),
      },
    })),
    { better: figure.better, equivalence: record.plan.equivalence },
  );
  const pairs = compared.flatMap((comparison, index) => {
    const pair = all[index];
    return pair ? [{ ...pair, comparison }] : [];
  });
  const places = rank(valid, (item, leader) => {
    const found = pairs.find(({ better, worse }) => better === leader && worse === item);
    return found?.comparison.verdict ?? "can't tell";
  });
  return {
    cells: cells.map((cell) => {
      const found = places.find(({ item }) => item === cell);
      return found ? { ...cell, rank: { place: found.place, tied: found.tied } } : cell;
    }),
    pairs: pairs.map(({ better, worse, comparison }) => {
      return { better: better.target, worse: worse.target, comparison };
    }),
  };
}

function summarizeCell(record: RunRecord, cell: Cell): CellSummary {
  const floor = floorCellOf(record, cell);
  const flags = [
    ...flagsOf(record, cell),
    ...(floor && floor !== cell ? flagsOfPair(record, cell, floor) : []),
  ];
  const outcome = outcomeOf(record, cell);
  return { cell, target: targetOf(record, cell.target), outcome, flags, rank: null };
}

function outcomeOf(record: RunRecord, cell: Cell): CellSummary['outcome'] {
  const slices = slicesOf(record, cell);
  if (slices.length === 0) {
    const failure = record.failures.find(({ server }) => server === cell.server);
    return failure ? { state: 'failed', failure } : { state: 'not reached' };
  }
  const services = serviceFiguresOf(record, slices);
  return { state: 'measured', figures: figuresOf(record, cell, slices), services };
}
