import { FEWEST_LAUNCHES, headlineOf, launchesOf, samples, sum } from '../figures/figures.ts';
import { servicesCpuNs } from '../figures/services.ts';
import { halfShare, widthOf } from '../figures/width.ts';
import { estimate } from '../math/statistics.ts';
import { isPlain } from '../plan/topology.ts';
import type { Slice } from '../record/record.ts';
import type { CellContext } from './context.ts';
import { DISTURBANCE_LIMITS, DISTURBED_SLICES, IDLE_SHARE, WIDEST_SHARES } from './thresholds.ts';

/** Whether another run measured on this machine at the same time. */
export function otherRun({ record }: CellContext) {
  return record.hadOtherRuns ? { code: 'OTHER_RUN' as const } : null;
}

/** Whether the server still used CPU time long after its last request, so that some of its work may be missing. */
export function notQuiet({ slices }: CellContext) {
  const busy = slices.filter(({ measurement }) => measurement.isQuiet === false).length;
  return busy > 0 ? { code: 'NOT_QUIET' as const, busy, slices: slices.length } : null;
}

/** Whether much of the CPU time that the server used is its idle use, which is subtracted. */
export function idleUse({ slices }: CellContext) {
  const blocks = slices.flatMap(({ measurement: { blocks: all, idleNsPerS } }) => {
    return all.map(({ chargedNs, ns }) => ({ chargedNs, idleNs: (idleNsPerS * ns) / 1e9 }));
  });
  const share = sum(blocks, ({ idleNs }) => idleNs) / sum(blocks, ({ chargedNs }) => chargedNs);
  return share > IDLE_SHARE ? { code: 'IDLE_USE' as const, share } : null;
}

/** Whether something took CPU time away from too many slices. */
export function noisyHost({ slices, record }: CellContext) {
  const cores = record.machine.cores.length;
  const worstOf = slices.map(({ measurement }) => worst(disturbancesOf(measurement, cores)));
  const disturbed = worstOf.filter((each) => excess(each) > 1);
  if (disturbed.length <= DISTURBED_SLICES * slices.length) return null;
  const counts = { disturbed: disturbed.length, slices: slices.length };
  return { code: 'NOISY_HOST' as const, ...counts, worst: worst(disturbed) };
}

/** What took CPU time away from a slice, and for which share of the time. */
interface Disturbance {
  kind: keyof typeof DISTURBANCE_LIMITS;
  share: number;
}

function worst(all: readonly Disturbance[]): Disturbance {
  return all.reduce((most, each) => (excess(each) > excess(most) ? each : most));
}

function excess({ kind, share }: Disturbance): number {
  return share / DISTURBANCE_LIMITS[kind];
}

function disturbancesOf(measurement: Slice['measurement'], cores: number): Disturbance[] {
  const { cpu, system, windowNs } = measurement;
  const own = sum(Object.values(cpu), ({ cpuNs }) => cpuNs) + servicesCpuNs(measurement);
  const { stealNs, throttledNs, busyNs } = system ?? { stealNs: 0, throttledNs: 0, busyNs: 0 };
  return [
    { kind: 'steal', share: stealNs / (windowNs * cores) },
    { kind: 'throttled', share: throttledNs / windowNs },
    { kind: 'foreign', share: (busyNs - own) / windowNs },
  ];
}

/** Whether the interval is too wide: of the ratio that `--until` goes by, or without it of the load's headline. */
export function inconclusive(context: CellContext) {
  const { record, cell, slices, load, topology } = context;
  const { until } = record.plan;
  const launches = launchesOf(slices).size;
  const isSingle = load.headline === 'throughput' && isPlain(topology);
  const asked = until?.share ?? WIDEST_SHARES[isSingle ? 'single' : 'usual'];
  const share = until === null ? figureShareOf(context) : (widthOf(record, cell)?.share ?? null);
  if (launches >= FEWEST_LAUNCHES && (share === null || share <= asked)) return null;
  const halfShareOf = share === Number.POSITIVE_INFINITY ? null : share;
  return { code: 'INCONCLUSIVE' as const, launches, halfShare: halfShareOf, asked };
}

/** Of the headline; null where that is 0, or has no interval. */
function figureShareOf({ load, slices }: CellContext): number | null {
  const share = halfShare(estimate(samples(slices, headlineOf(load))));
  return Number.isFinite(share) ? share : null;
}
