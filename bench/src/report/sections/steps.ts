import type { Topology } from '../../plan/topology.ts';
import type { Target } from '../../targets/targets.ts';
import { rowName, topologyName } from '../names.ts';

/** From the fewest processes to the most; of the same number, in the order given. */
export function fewestFirst<Of extends { topology: Topology }>(rows: readonly Of[]): Of[] {
  return rows.toSorted((a, b) => a.topology.processes - b.topology.processes);
}

/** A topology as the name of a row, with its target where there are several. */
export function stepName(target: Target, topology: Topology, targets: number): string {
  return targets === 1 ? topologyName(topology) : rowName(target, topology);
}
