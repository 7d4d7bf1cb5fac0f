import { median } from 'simple-statistics';
import { figureOf, samples, THROUGHPUT } from '../figures/figures.ts';
import { servicesCpuNs } from '../figures/services.ts';
import { idleShare, LEAST_IDLE_SHARE } from '../load/bottleneck.ts';
import type { Measurement } from '../load/measurement.ts';
import { estimate, pointOf } from '../math/statistics.ts';
import { CANNED_RESPONSE } from '../targets/canned-response.ts';
import type { CellContext } from './context.ts';
import { HEADROOM_RATIO, SERVER_BUSY_SHARE } from './thresholds.ts';

function typical({ slices }: CellContext, figure: (slice: Measurement) => number): number {
  return median(slices.map(({ measurement }) => figure(measurement)));
}

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

/** Whether a canned answer, in the same topology under the same load, has only slightly more requests/s. */
export function headroom({ record, cell, slices }: CellContext) {
  const probe = record.plan.probes.find(({ target, topology, load }) => {
    return target === CANNED_RESPONSE.name && topology === cell.topology && load === cell.load;
  });
  const canned = probe ? pointOf(figureOf(record, probe, THROUGHPUT)) : null;
  const own = pointOf(estimate(samples(slices, THROUGHPUT)));
  if (canned === null || own === null) return null;
  const ratio = canned / own;
  return ratio < HEADROOM_RATIO ? { code: 'HEADROOM' as const, ratio } : null;
}

/** Whether the server had CPU time left although the generator could have sent more. */
export function unsaturated(context: CellContext) {
  if (!context.load.saturates) return null;
  const busyShare = typical(context, (slice) => busyShareOf(slice, context));
  if (busyShare >= SERVER_BUSY_SHARE || generatorBound(context) !== null) return null;
  return { code: 'UNSATURATED' as const, busyShare, idleShare: typical(context, idleShare) };
}

/** Of the cores that server and services can use, without the generator's use of them; or of the CPU limit, if more. */
function busyShareOf(measurement: Measurement, context: CellContext): number {
  const { topology, usableCores, cpuLimit } = context;
  const { cpu, windowNs } = measurement;
  const busyNs = cpu.server.cpuNs + servicesCpuNs(measurement);
  const taken = topology.cores === null ? cpu.generator.cpuNs / windowNs : 0;
  const ofCores = busyNs / windowNs / Math.min(topology.processes, usableCores - taken);
  return Math.max(ofCores, cpu.server.cpuNs / windowNs / cpuLimit);
}
