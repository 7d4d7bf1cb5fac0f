import { median } from 'simple-statistics';
import { sum } from '../figures/figures.ts';
import { isOnSchedule, onScheduleOf } from '../figures/latency.ts';
import { pooled } from '../figures/times.ts';
import type { CellContext } from './context.ts';
import { ANSWERED_SHARE, DISTURBED_SLICES, UNDER_WAY } from './thresholds.ts';

/** Whether the generator sent too many slices of an open loop late, if it can tell: its delay looks like latency. */
export function late({ slices }: CellContext) {
  const missed = slices.filter((slice) => !isOnSchedule(slice)).length;
  if (missed <= DISTURBED_SLICES * slices.length) return null;
  const delays = slices.flatMap(({ measurement }) => measurement.pace?.lateness ?? []);
  const p99Ns = median(delays.map(({ histogram }) => pooled([histogram]).quantile(0.99) * 1000));
  return { code: 'LATE' as const, late: missed, slices: slices.length, p99Ns };
}

/** Whether generators on other hosts were lost: what they sent is missing from all counts. */
export function generatorLost({ slices }: CellContext) {
  const paces = slices.flatMap(({ measurement: { pace } }) => (pace?.lost ? [pace] : []));
  if (paces.length === 0) return null;
  const share = sum(paces, ({ lost }) => lost) / sum(paces, ({ planned }) => planned);
  return { code: 'GENERATOR_LOST' as const, slices: paces.length, of: slices.length, share };
}

/** Whether requests of an open loop were never sent, because too many were in flight. */
export function dropped(context: CellContext) {
  const paces = pacesOf(context);
  const missing = sum(paces, (pace) => pace.dropped);
  const planned = sum(paces, (pace) => pace.planned);
  return missing > 0 ? { code: 'DROPPED' as const, dropped: missing, planned } : null;
}

/** Whether the server fell behind the rate, so that its latency keeps growing. */
export function backlog(context: CellContext) {
  const paces = pacesOf(context);
  const planned = sum(paces, (pace) => pace.planned);
  const answered = sum(onScheduleOf(context.slices), ({ measurement }) => measurement.window.ok);
  const isBehind = answered + UNDER_WAY * paces.length < ANSWERED_SHARE * planned;
  return isBehind ? { code: 'BACKLOG' as const, answeredShare: answered / planned } : null;
}

/** Of the slices in which the generator was on time: a late one sends in bursts, which queue through no fault of the server. */
function pacesOf({ slices }: CellContext) {
  return onScheduleOf(slices).flatMap(({ measurement }) => measurement.pace ?? []);
}
