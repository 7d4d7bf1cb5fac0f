import {
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
import { type Comparison, compare, type Verdict } from '../math/verdicts.ts';
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
  pairs: CellPair[];
}

/** What a cell has over a better one, and what that says among all pairs of the condition. */
export interface CellPair {
  better: Target;
  worse: Target;
  comparison: Comparison;
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
  const { better } = figure;
  const valid = cells.filter(({ outcome, flags }) => {
    return outcome.state === 'measured' && !isSpoiled(flags, load.headline);
  });
  const pairs = valid.flatMap((first, index) => {
    return valid.slice(index + 1).map((second) => ({ first, second }));
  });
  const isBound = ({ flags }: CellSummary) => {
    return better === 'more' && flags.some(({ code }) => code === 'GENERATOR_BOUND');
  };
  const compared = compare(
    pairs.map(({ first, second }) => ({
      sides: sidesOf(slicesOf(record, second.cell), slicesOf(record, first.cell), figure),
      isLowerBound: { first: isBound(second), second: isBound(first) },
    })),
    { better, equivalence: record.plan.equivalence },
  );
  const verdictOf = (item: CellSummary, leader: CellSummary): Verdict => {
    const index = pairs.findIndex(({ first, second }) => first === leader && second === item);
    return compared[index]?.verdict ?? "can't tell";
  };
  const places = new Map(rank(valid, verdictOf).map((each) => [each.item, each]));
  return {
    cells: cells.map((cell) => {
      const found = places.get(cell);
      return found ? { ...cell, rank: { place: found.place, tied: found.tied } } : cell;
    }),
    pairs: pairs.flatMap(({ first, second }, index): CellPair[] => {
      const comparison = compared[index];
      return comparison ? [{ better: first.target, worse: second.target, comparison }] : [];
    }),
  };
}

const NOT_REACHED = { state: 'not reached' } as const;

function summarizeCell(record: RunRecord, cell: Cell): CellSummary {
  const target = targetOf(record, cell.target);
  const floor = floorCellOf(record, cell);
  const flags = [
    ...flagsOf(record, cell),
    ...(floor && floor !== cell ? flagsOfPair(record, cell, floor) : []),
  ];
  const parts = { cell, target, flags, rank: null };
  const slices = slicesOf(record, cell);
  if (slices.length === 0) {
    const failure = record.failures.find(({ server }) => server === cell.server);
    const outcome = failure ? ({ state: 'failed', failure } as const) : NOT_REACHED;
    return { ...parts, outcome };
  }
  const figures = figuresOf(record, cell, slices);
  const services = serviceFiguresOf(record, slices);
  return { ...parts, outcome: { state: 'measured', figures, services } };
}
