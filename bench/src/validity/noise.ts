import {
  FEWEST_LAUNCHES,
  hadSettled,
  headlineOf,
  launchesOf,
  samples,
  sum,
  THROUGHPUT,
} from '../figures/figures.ts';
import { servicesCpuNs } from '../figures/services.ts';
import { halfShare, widthOf } from '../figures/width.ts';
import { costOf } from '../load/settling.ts';
import { type Estimate, estimate, ratio } from '../math/statistics.ts';
import { isPlain } from '../plan/topology.ts';
import type { Slice } from '../record/record.ts';
import type { CellContext } from './context.ts';
import {
  DISTURBANCE_LIMITS,
  DISTURBED_SLICES,
  HALVES_RATIO,
  WIDEST_SHARE,
  WIDEST_SINGLE_SHARE,
} from './thresholds.ts';

/** Whether somebody else measured on this machine at the same time. */
export function otherRun({ record }: CellContext) {
  return record.hadOtherRuns ? { code: 'OTHER_RUN' as const } : null;
}

/** Whether the server had settled in too few launches for a verdict. */
export function unsettled({ record, cell, slices }: CellContext) {
  const launches = launchesOf(slices);
  const settled = slices.filter((slice) => hadSettled(record, cell, slice));
  const count = launchesOf(settled).size;
  if (count === launches.size || count >= FEWEST_LAUNCHES) return null;
  return { code: 'UNSETTLED' as const, settled: count, launches: launches.size };
}

/**
 * Whether the server was still changing while it was measured. Single launches differ by noise: where
 * there are several, the whole interval has to be outside the limit.
 */
export function unsteady({ slices }: CellContext) {
  const launches = [...Map.groupBy(slices, ({ launch }) => launch)];
  const paces = launches.map(([launch, own]) => ({ launch, ...halvesOf(own) }));
  const known = paces.filter(({ first, last }) => Number.isFinite(first) && Number.isFinite(last));
  const halves = ratio({
    own: known.map(({ launch, last: value }) => ({ launch, value })),
    other: known.map(({ launch, first: value }) => ({ launch, value })),
  });
  const capped = sum(slices, ({ measurement }) => (measurement.warmupCapped ? 1 : 0));
  if (capped === 0 && !isApart(halves)) return null;
  return { code: 'UNSTEADY' as const, halves, capped, slices: slices.length };
}

function isApart(halves: Estimate): boolean {
  if (halves.kind === 'none') return false;
  const { low, high } =
    halves.kind === 'point' ? { low: halves.value, high: halves.value } : halves;
  return low > HALVES_RATIO || high < 1 / HALVES_RATIO;
}

/** How fast the server was in the second half of a launch, and in the first; not finite where nobody knows. */
function halvesOf(launch: readonly Slice[]): { last: number; first: number } {
  const [only, ...others] = launch.toSorted((a, b) => a.round - b.round);
  if (only === undefined) return { last: Number.NaN, first: Number.NaN };
  if (others.length === 0) return halvesWithin(only.measurement);
  const rounds = [only, ...others];
  const half = Math.floor(rounds.length / 2);
  const paceOf = (part: readonly Slice[]) => THROUGHPUT.inLaunch(part);
  return { last: paceOf(rounds.slice(-half)), first: paceOf(rounds.slice(0, half)) };
}

/** Of one slice: by the answers that a second of its own CPU time brought where it is interleaved, or else by requests/s. */
function halvesWithin({ blocks, halfway, window, windowNs }: Slice['measurement']) {
  const half = Math.floor(blocks.length / 2);
  if (half > 0) {
    const paceOf = (part: typeof blocks) => 1 / costOf(part);
    return { last: paceOf(blocks.slice(-half)), first: paceOf(blocks.slice(0, half)) };
  }
  if (halfway === null) return { last: Number.NaN, first: Number.NaN };
  const first = halfway.ok / halfway.ns;
  return { last: (window.ok - halfway.ok) / (windowNs - halfway.ns), first };
}

/** What can take CPU away from a slice. */
export type Disturbance = keyof typeof DISTURBANCE_LIMITS;

/** For which share of a slice it did. */
interface Disturbed {
  kind: Disturbance;
  share: number;
}

/** Whether something took CPU away from too many slices. */
export function noisyHost(context: CellContext) {
  const { slices } = context;
  const worstOf = slices.map((slice) => {
    return disturbances(slice, context).reduce((most, each) => {
      return excess(each) > excess(most) ? each : most;
    });
  });
  const disturbed = worstOf.filter((each) => excess(each) > 1);
  const [worst] = disturbed.toSorted((a, b) => excess(b) - excess(a));
  if (worst === undefined || disturbed.length <= DISTURBED_SLICES * slices.length) return null;
  return { code: 'NOISY_HOST' as const, disturbed: disturbed.length, slices: slices.length, worst };
}

function excess({ kind, share }: Disturbed): number {
  return share / DISTURBANCE_LIMITS[kind];
}

function disturbances({ measurement }: Slice, context: CellContext): Disturbed[] {
  const { cpu, system, windowNs } = measurement;
  const { record } = context;
  const own = sum(Object.values(cpu), ({ cpuNs }) => cpuNs) + servicesCpuNs(measurement);
  const { stealNs, throttledNs, busyNs } = system ?? { stealNs: 0, throttledNs: 0, busyNs: 0 };
  return [
    { kind: 'steal', share: stealNs / (windowNs * record.machine.cores.length) },
    { kind: 'throttled', share: throttledNs / windowNs },
    { kind: 'foreign', share: (busyNs - own) / windowNs },
  ];
}

/**
 * Whether what a cell is measured for is not known well enough. Where `--until` asks, that is what it
 * goes by, and otherwise the load's main figure: CPU per request under the cost load, requests/s
 * under all others.
 */
export function inconclusive(context: CellContext) {
  const { record, cell, slices, load, topology } = context;
  const { until } = record.plan;
  const launches = launchesOf(slices).size;
  const isSingle = load.headline === 'throughput' && isPlain(topology);
  const asked = until?.share ?? (isSingle ? WIDEST_SINGLE_SHARE : WIDEST_SHARE);
  const share = until === null ? figureShareOf(context) : (widthOf(record, cell)?.share ?? null);
  if (launches >= FEWEST_LAUNCHES && (share === null || share <= asked)) return null;
  const halfShare = share === Number.POSITIVE_INFINITY ? null : share;
  return { code: 'INCONCLUSIVE' as const, launches, halfShare, asked };
}

/** Of the load's main figure; null where that is 0, or has no interval. */
function figureShareOf({ load, slices }: CellContext): number | null {
  const share = halfShare(estimate(samples(slices, headlineOf(load))));
  return Number.isFinite(share) ? share : null;
}
