import { launchesOf, sum } from '../figures/figures.ts';
import { type Slice, targetOf } from '../record/record.ts';
import { PERIOD_NS } from '../system/control-groups.ts';
import type { CellContext } from './context.ts';
import {
  CORES_OVERUSE,
  EDGE_NS,
  EVENNESS_NS,
  IDLE_EVENNESS,
  WORKER_EVENNESS,
} from './thresholds.ts';

/** Whether the cell's server failed in a launch, which is left out. */
export function failed({ record, cell, slices }: CellContext) {
  const failure = record.failures.findLast(({ server }) => server === cell.server);
  if (failure === undefined) return null;
  const { launch, when, died } = failure;
  const measured = launchesOf(slices).size;
  const launches = record.plan.launches.length;
  return { code: 'FAILED' as const, launch, when, died, measured, launches };
}

/**
 * Whether some worker served far less than another, where that is not by design: the CPU time of the least busy one over
 * that of the busiest, in the least even launch.
 */
export function topology(context: CellContext) {
  // Of a single process the others are what it has begun itself.
  const isDealt = context.topology.processes > 1 && scaleOf(context) === 'processes';
  const least = isDealt ? leastEven(context) : null;
  return least && { code: 'TOPOLOGY' as const, ...least };
}

/** Whether some process served far less than another, where nobody deals to them in turn. */
export function spread(context: CellContext) {
  const least = scaleOf(context) === 'reuse-port' ? leastEven(context) : null;
  return least && { code: 'SPREAD' as const, ...least };
}

/** Where threads use its cores, the processes of a server have each a work of its own. */
function scaleOf({ record, cell }: CellContext) {
  return targetOf(record, cell.target).scale.by;
}

/** The least even launch, where it is not even; launch by launch, since the workers are others in each. */
function leastEven({ slices }: CellContext): { evenness: number; launch: number } | null {
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

/** Whether the server has no cores of its own. */
export function sharedCpu(context: CellContext) {
  const { record, cell, cores, topology } = context;
  if (topology.cores !== null) return null;
  const isThreaded = targetOf(record, cell.target).scale.by === 'threads';
  const by = isThreaded ? 'threads' : 'processes';
  return { code: 'SHARED_CPU' as const, workers: topology.processes, by, cores };
}

/**
 * Whether throughput × CPU time per request, which is CPU time over time, is more than its cores, or than its
 * limit lets it use.
 */
export function impossible({ slices, cores: all, limit }: CellContext) {
  const usedNs = sum(slices, ({ measurement }) => measurement.cpu.server.cpuNs);
  const windowsNs = sum(slices, ({ measurement }) => measurement.windowNs);
  const cores = Math.min(all, limit);
  const usedShare = usedNs / (cores * windowsNs);
  // A window may begin with a quota that is not used up yet.
  const edgeNs = limit < all ? EDGE_NS + PERIOD_NS : EDGE_NS;
  const edges = (edgeNs * slices.length) / windowsNs;
  return usedShare > 1 + CORES_OVERUSE + edges
    ? { code: 'IMPOSSIBLE' as const, usedShare, cores }
    : null;
}
