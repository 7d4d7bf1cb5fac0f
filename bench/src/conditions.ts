import { type Figures, figuresOf, slicesOf } from './figures.ts';
import type { Cell, Load } from './plan.ts';
import { type Failure, type RunRecord, targetOf } from './record.ts';
import { pointOf } from './statistics.ts';
import type { Target } from './targets.ts';
import type { Topology } from './topology.ts';

/** What became of a cell. */
export interface CellSummary {
  cell: Cell;
  target: Target;
  outcome:
    | { state: 'measured'; figures: Figures }
    | { state: 'failed'; failure: Failure }
    /** The run ended before its first slice. */
    | { state: 'not reached' };
}

/** The cells of one topology under one load, the one with the highest throughput first. */
export interface Condition {
  topology: Topology;
  load: Load;
  cells: CellSummary[];
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
    .filter((cell) => cell.topology === topology.id && cell.load === load.id)
    .map((cell) => summarizeCell(record, cell));
  if (cells.length === 0) return [];
  const rate = ({ outcome }: CellSummary) => {
    const throughput = outcome.state === 'measured' ? pointOf(outcome.figures.throughput) : null;
    return throughput ?? -1;
  };
  return [{ topology, load, cells: cells.sort((a, b) => rate(b) - rate(a)) }];
}

function summarizeCell(record: RunRecord, cell: Cell): CellSummary {
  const target = targetOf(record, cell.target);
  const failure = record.failures.find(({ server }) => server === cell.server);
  if (failure !== undefined) return { cell, target, outcome: { state: 'failed', failure } };
  const slices = slicesOf(record, cell);
  if (slices.length === 0) return { cell, target, outcome: { state: 'not reached' } };
  return { cell, target, outcome: { state: 'measured', figures: figuresOf(record, cell, slices) } };
}
