import { sum } from '../figures/figures.ts';
import { type Failure, type Slice, targetOf } from '../record/record.ts';
import { PERIOD_NS } from '../system/control-groups.ts';
import type { CellContext } from './context.ts';
import {
  CORES_OVERUSE,
  EDGE_NS,
  EVENNESS_NS,
  IDLE_EVENNESS,
  WORKER_EVENNESS,
} from './thresholds.ts';

export interface FailedFlag {
  code: 'FAILED';
  /** The last launch in which it failed, from 0. */
  launch: number;
  when: Failure['when'];
  /** One of its processes was gone. */
  died: boolean;
  /** Launches in which it was measured, of those that there were. */
  measured: number;
  launches: number;
}

/** Whether the cell's server failed in a launch, which is left out. */
export function failed({ record, cell, slices }: CellContext): FailedFlag | null {
  const failure = record.failures.findLast(({ server }) => server === cell.server);
  if (failure === undefined) return null;
  const { launch, when, died } = failure;
  const measured = new Set(slices.map((slice) => slice.launch)).size;
  const launches = record.plan.launches.length;
  return { code: 'FAILED', launch, when, died, measured, launches };
}

export interface TopologyFlag {
  code: 'TOPOLOGY';
  /** CPU time of the least busy worker over that of the busiest, in the least even launch. */
  evenness: number;
  /** That launch, from 0. */
  launch: number;
}

/** Whether some worker served far less than another, where that is not by design. */
export function topology(context: CellContext): TopologyFlag | null {
  // Of a single process the others are what it has begun itself.
  const isDealt = context.topology.processes > 1 && scaleOf(context) === 'processes';
  const least = isDealt ? leastEven(context) : null;
  return least && { code: 'TOPOLOGY', ...least };
}

export interface SpreadFlag {
  code: 'SPREAD';
  /** As of `TOPOLOGY`. */
  evenness: number;
  launch: number;
}

/** Whether some process served far less than another, where nobody deals to them in turn. */
export function spread(context: CellContext): SpreadFlag | null {
  const least = scaleOf(context) === 'reuse-port' ? leastEven(context) : null;
  return least && { code: 'SPREAD', ...least };
}

/** Where threads use its cores, the processes of a server have each a work of its own. */
function scaleOf({ record, cell }: CellContext) {
  return targetOf(record, cell.target).scale.by;
}

/** The least even launch, where it is not even; launch by launch, since the workers are others in each. */
function leastEven({ slices }: CellContext): Pick<TopologyFlag, 'evenness' | 'launch'> | null {
  const [least] = [...Map.groupBy(slices, ({ launch }) => launch)]
    .filter(([, own]) => evennessOf(own) < leastEvennessOf(own))
    .map(([launch, own]) => ({ launch, evenness: evennessOf(own) }))
    .sort((a, b) => a.evenness - b.evenness);
  return least ?? null;
}

function leastEvennessOf(slices: Slice[]): number {
  const measuredNs = sum(slices, ({ measurement }) => measurement.windowNs);
  return measuredNs < EVENNESS_NS ? IDLE_EVENNESS : WORKER_EVENNESS;
}

function evennessOf(slices: Slice[]): number {
  const workers = slices[0]?.measurement.workersCpuNs ?? [];
  const totals = workers.map((_, index) => {
    return sum(slices, ({ measurement }) => measurement.workersCpuNs[index] ?? 0);
  });
  return Math.min(...totals) / Math.max(...totals);
}

export interface SharedCpuFlag {
  code: 'SHARED_CPU';
  /** Processes or threads of the server. */
  workers: number;
  by: 'processes' | 'threads';
  cores: number;
}

/** Whether the server has no cores of its own. */
export function sharedCpu(context: CellContext): SharedCpuFlag | null {
  const { record, cell, cores, topology } = context;
  if (topology.cores !== null) return null;
  const isThreaded = targetOf(record, cell.target).scale.by === 'threads';
  const by = isThreaded ? 'threads' : 'processes';
  return { code: 'SHARED_CPU', workers: topology.processes, by, cores };
}

export interface ImpossibleFlag {
  code: 'IMPOSSIBLE';
  /** CPU time that the server is said to have used over what its cores, or its limit, had to give. */
  usedShare: number;
  cores: number;
}

/**
 * Whether throughput × CPU time per request, which is CPU time over time, is more than its cores, or than its
 * limit lets it use.
 */
export function impossible({ slices, cores: all, limit }: CellContext): ImpossibleFlag | null {
  const usedNs = sum(slices, ({ measurement }) => measurement.cpu.server.cpuNs);
  const windowsNs = sum(slices, ({ measurement }) => measurement.windowNs);
  const cores = Math.min(all, limit);
  const usedShare = usedNs / (cores * windowsNs);
  // A window may begin with a quota that is not used up yet.
  const edgeNs = limit < all ? EDGE_NS + PERIOD_NS : EDGE_NS;
  const edges = (edgeNs * slices.length) / windowsNs;
  return usedShare > 1 + CORES_OVERUSE + edges ? { code: 'IMPOSSIBLE', usedShare, cores } : null;
}
