import { slicesOf } from '../figures/figures.ts';
import { type Cell, loadOf, topologyOf } from '../plan/plan.ts';
import { coresOf } from '../plan/topology.ts';
import { type RunRecord, targetOf } from '../record/record.ts';

/** A cell with what belongs to it: what the checks of a cell look at. */
export type CellContext = ReturnType<typeof contextOf>;

export function contextOf(record: RunRecord, cell: Cell) {
  const topology = topologyOf(record.plan, cell.topology);
  const target = targetOf(record, cell.target);
  return {
    ...{ record, cell, target, topology },
    load: loadOf(record.plan, cell.load),
    /** How many cores the processes of the server may run on. */
    usableCores: coresOf(topology, record.machine),
    /** How many cores' worth of CPU time the server may use; infinite without a limit. */
    cpuLimit: target.cpuLimit ?? Number.POSITIVE_INFINITY,
    /** Those that count; empty where the server failed in every launch, or the run did not reach the cell. */
    slices: slicesOf(record, cell),
  };
}
