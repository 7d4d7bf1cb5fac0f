import { launchesOf, sum, throttlingShares } from '../figures/figures.ts';
import type { Slice } from '../record/record.ts';
import { PERIOD_NS } from '../system/control-groups.ts';
import type { CellContext } from './context.ts';
import { CORES_OVERUSE, EDGE_NS, LEAST_EVENNESS, THROTTLED_PERIODS } from './thresholds.ts';

/** Whether the server failed in a launch, which is left out; of several failures, the last. */
export function failed({ record, cell, slices }: CellContext) {
  const failure = record.failures.findLast(({ server }) => server === cell.server);
  if (failure === undefined) return null;
  const { launch, when, died } = failure;
  const measured = launchesOf(slices).size;
  const launches = record.plan.launches.length;
  return { code: 'FAILED' as const, launch, when, died, measured, launches };
}

/** Whether a worker of a cluster served far less than another, although a manager spreads the work. */
export function topology(context: CellContext) {
  // The other processes of a single one are its own children.
  const isSpread = context.topology.processes > 1 && context.target.scale.by === 'processes';
  const uneven = isSpread ? mostUneven(context) : null;
  return uneven && { code: 'TOPOLOGY' as const, ...uneven };
}

/** Whether a process served far less than another where the kernel spreads the connections. */
export function spread(context: CellContext) {
  const uneven = context.target.scale.by === 'reuse-port' ? mostUneven(context) : null;
  return uneven && { code: 'SPREAD' as const, ...uneven };
}

/** The launch whose workers, which are its own, differ most in CPU time; null if none differ too much. */
function mostUneven({ slices }: CellContext): { evenness: number; launch: number } | null {
  const [first = null] = [...Map.groupBy(slices, ({ launch }) => launch)]
    .map(([launch, own]) => ({ launch, own, evenness: evennessOf(own) }))
    .filter(({ own, evenness }) => evenness < leastEvennessOf(own))
    .toSorted((a, b) => a.evenness - b.evenness);
  return first && { evenness: first.evenness, launch: first.launch };
}

function leastEvennessOf(slices: Slice[]): number {
  const measuredNs = sum(slices, ({ measurement }) => measurement.windowNs);
  return measuredNs < LEAST_EVENNESS.briefNs ? LEAST_EVENNESS.brief : LEAST_EVENNESS.usual;
}

function evennessOf(slices: Slice[]): number {
  const workers = slices[0]?.measurement.workersCpuNs ?? [];
  const totals = workers.map((_, index) => {
    return sum(slices, ({ measurement }) => measurement.workersCpuNs[index] ?? 0);
  });
  return Math.min(...totals) / Math.max(...totals);
}

/** Whether the server has no cores of its own. */
export function sharedCpu({ usableCores, topology, target }: CellContext) {
  if (topology.cores !== null) return null;
  const by = target.scale.by === 'threads' ? 'threads' : 'processes';
  return { code: 'SHARED_CPU' as const, workers: topology.processes, by, cores: usableCores };
}

/** Whether the server used more CPU time than its cores have, or than its limit allows. */
export function impossible({ slices, usableCores, cpuLimit }: CellContext) {
  const usedNs = sum(slices, ({ measurement }) => measurement.cpu.server.cpuNs);
  const windowsNs = sum(slices, ({ measurement }) => measurement.windowNs);
  const cores = Math.min(usableCores, cpuLimit);
  const usedShare = usedNs / (cores * windowsNs);
  // A window may begin with an unused quota.
  const edgeNs = cpuLimit < usableCores ? EDGE_NS + PERIOD_NS : EDGE_NS;
  const most = 1 + CORES_OVERUSE + (edgeNs * slices.length) / windowsNs;
  return usedShare > most ? { code: 'IMPOSSIBLE' as const, usedShare, cores } : null;
}

/** Whether its CPU limit throttled the server, often enough for a p99 to show it. */
export function throttled({ target: { cpuLimit }, slices }: CellContext) {
  const shares = throttlingShares(slices);
  if (cpuLimit === null || shares === null || shares.periodsShare < THROTTLED_PERIODS) return null;
  return { code: 'THROTTLED' as const, cores: cpuLimit, ...shares };
}
