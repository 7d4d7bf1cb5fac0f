import { figureOf, samples, THROUGHPUT } from '../figures/figures.ts';
import { servicesCpuNs } from '../figures/services.ts';
import { idleShare, LEAST_IDLE_SHARE } from '../load/bottleneck.ts';
import type { Measurement } from '../load/measurement.ts';
import { estimate, pointOf } from '../math/statistics.ts';
import { CANNED } from '../targets/canned.ts';
import { type CellContext, typical } from './context.ts';
import { HEADROOM_RATIO, SERVER_BUSY_SHARE } from './thresholds.ts';

/** Whether the generator was the limit: by the median slice, since the figures are medians too. */
export function generatorBound(context: CellContext) {
  if (context.load.kind === 'open') return null;
  const idle = typical(context, idleShare);
  return idle < LEAST_IDLE_SHARE ? { code: 'GENERATOR_BOUND' as const, idleShare: idle } : null;
}

/** Whether the generator was the limit of one of two cells that are compared. */
export function regime(context: CellContext, other: CellContext) {
  if ((generatorBound(context) === null) === (generatorBound(other) === null)) return null;
  return {
    code: 'REGIME' as const,
    otherTarget: other.cell.target,
    idleShare: typical(context, idleShare),
    otherIdleShare: typical(other, idleShare),
  };
}

/** Whether a canned answer, on the same topology and load, came hardly more often. */
export function headroom({ record, cell, slices }: CellContext) {
  const probe = record.plan.probes.find(({ target, topology, load }) => {
    return target === CANNED.name && topology === cell.topology && load === cell.load;
  });
  const canned = probe ? figureOf(record, probe, THROUGHPUT) : null;
  const own = pointOf(estimate(samples(slices, THROUGHPUT)));
  if (canned === null || canned.kind === 'none' || own === null) return null;
  const ratio = canned.value / own;
  return ratio < HEADROOM_RATIO ? { code: 'HEADROOM' as const, ratio } : null;
}

/** Whether the server had cores left over though the generator could have asked for more. */
export function unsaturated(context: CellContext) {
  if (!context.load.saturates) return null;
  const busyShare = typical(context, (slice) => busyShareOf(slice, context));
  if (busyShare >= SERVER_BUSY_SHARE || generatorBound(context) !== null) return null;
  return { code: 'UNSATURATED' as const, busyShare, idleShare: typical(context, idleShare) };
}

/**
 * Of the cores that server and services can use, shared ones without what the generator used; or of what the
 * limit lets the server use, where that is more.
 */
function busyShareOf(measurement: Measurement, { topology, cores, limit }: CellContext): number {
  const { cpu, windowNs } = measurement;
  const busyNs = cpu.server.cpuNs + servicesCpuNs(measurement);
  const taken = topology.cores === null ? cpu.generator.cpuNs / windowNs : 0;
  const ofCores = busyNs / windowNs / Math.min(topology.processes, cores - taken);
  return Math.max(ofCores, cpu.server.cpuNs / windowNs / limit);
}
