import { median } from 'simple-statistics';
import { sum } from '../figures/figures.ts';
import { isOnSchedule, onScheduleOf } from '../figures/on-schedule.ts';
import { pooled } from '../figures/times.ts';
import type { CellContext } from './context.ts';
import { ANSWERED_SHARE, DISTURBED_SLICES, UNDER_WAY } from './thresholds.ts';

/**
 * Whether the generator kept the plan of an open loop often enough: what it sends late looks like
 * latency. Slices whose generator can't tell have no say.
 */
export function late({ slices }: CellContext) {
  const told = slices.flatMap(({ measurement }) => measurement.pace?.lateness ?? []);
  const missed = slices.filter((slice) => !isOnSchedule(slice)).length;
  if (missed <= DISTURBED_SLICES * slices.length) return null;
  const p99Ns = median(told.map(({ histogram }) => pooled([histogram]).quantile(0.99) * 1000));
  return { code: 'LATE' as const, late: missed, slices: slices.length, p99Ns };
}

/** Whether generators of other hosts were lost: what they sent is missing from all counts. */
export function generatorLost({ slices }: CellContext) {
  const without = slices.filter(({ measurement }) => (measurement.pace?.lost ?? 0) > 0);
  if (without.length === 0) return null;
  const paces = without.flatMap(({ measurement }) => measurement.pace ?? []);
  const share = sum(paces, ({ lost }) => lost) / sum(paces, ({ planned }) => planned);
  return { code: 'GENERATOR_LOST' as const, slices: without.length, of: slices.length, share };
}

/** Whether requests of an open loop were never sent, because too many were under way. */
export function dropped(context: CellContext) {
  const paces = pacesOf(context);
  const missing = sum(paces, (pace) => pace.dropped);
  if (missing === 0) return null;
  return {
    code: 'DROPPED' as const,
    dropped: missing,
    planned: sum(paces, ({ planned }) => planned),
  };
}

/** Whether the server fell behind the rate, so that latency grows for as long as it goes on. */
export function backlog(context: CellContext) {
  const paces = pacesOf(context);
  const planned = sum(paces, (pace) => pace.planned);
  const answered = sum(onScheduleOf(context.slices), ({ measurement }) => measurement.window.ok);
  const underWay = UNDER_WAY * paces.length;
  const isBehind = answered + underWay < ANSWERED_SHARE * planned;
  return isBehind ? { code: 'BACKLOG' as const, answeredShare: answered / planned } : null;
}

/** Of the slices that count: a generator that was late sends in bursts, which queue up by its fault. */
function pacesOf({ slices }: CellContext) {
  return onScheduleOf(slices)
    .map(({ measurement }) => measurement.pace)
    .filter((pace) => pace !== null);
}
