import { median } from 'simple-statistics';
import { slicesOf } from '../figures/figures.ts';
import type { Measurement } from '../load/measurement.ts';
import type { Load } from '../plan/loads.ts';
import { type Cell, loadOf, topologyOf } from '../plan/plan.ts';
import { coresOf, type Topology } from '../plan/topology.ts';
import { type RunRecord, type Slice, targetOf } from '../record/record.ts';
import type { Target } from '../targets/targets.ts';

/** What the checks of a cell look at. */
export interface CellContext {
  record: RunRecord;
  cell: Cell;
  target: Target;
  load: Load;
  topology: Topology;
  /** How many cores the processes of the server may run on. */
  cores: number;
  /** How many cores' worth of CPU time the server may use; infinite without a limit. */
  limit: number;
  /** Empty where the server failed in every launch, or the run did not reach the cell. */
  slices: Slice[];
}

/** The context of a cell of this record. */
export function contextOf(record: RunRecord, cell: Cell): CellContext {
  const topology = topologyOf(record.plan, cell.topology);
  const target = targetOf(record, cell.target);
  return {
    ...{ record, cell, target, topology },
    load: loadOf(record.plan, cell.load),
    cores: coresOf(topology, record.machine),
    limit: target.cpuLimit ?? Number.POSITIVE_INFINITY,
    slices: slicesOf(record, cell),
  };
}

/** The median of a figure over the slices. */
export function typical({ slices }: CellContext, figure: (slice: Measurement) => number): number {
  return median(slices.map(({ measurement }) => figure(measurement)));
}
