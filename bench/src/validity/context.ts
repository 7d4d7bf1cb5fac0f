import { median } from 'simple-statistics';
import { slicesOf } from '../figures/figures.ts';
import type { Measurement } from '../load/measurement.ts';
import type { Load } from '../plan/loads.ts';
import { type Cell, loadOf, topologyOf } from '../plan/plan.ts';
import { coresOf, type Topology } from '../plan/topology.ts';
import { type RunRecord, type Slice, targetOf } from '../record/record.ts';

/** What a check looks at: a cell, where it ran, and its slices. */
export interface CellContext {
  record: RunRecord;
  cell: Cell;
  load: Load;
  topology: Topology;
  /** How many cores the server's processes may run on. */
  cores: number;
  /** How many cores' worth of CPU time they have, where less: infinite without a limit. */
  limit: number;
  /** None where its server failed or the run did not get to it. */
  slices: Slice[];
}

/** What there is to look at of a cell. */
export function contextOf(record: RunRecord, cell: Cell): CellContext {
  const topology = topologyOf(record.plan, cell.topology);
  return {
    record,
    cell,
    load: loadOf(record.plan, cell.load),
    topology,
    cores: coresOf(topology, record.machine),
    limit: targetOf(record, cell.target).cpuLimit ?? Number.POSITIVE_INFINITY,
    slices: slicesOf(record, cell),
  };
}

/** The median over the slices of a figure of each. */
export function typical({ slices }: CellContext, figure: (slice: Measurement) => number): number {
  return median(slices.map(({ measurement }) => figure(measurement)));
}
