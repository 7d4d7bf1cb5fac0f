import { DRIVERS } from '../../load/drivers.ts';
import type { OpenLoad } from '../../plan/loads.ts';
import type { RatePoint, RateSummary } from '../../summary/rates.ts';
import { count, latencyTime, plusMinus } from '../format.ts';
import { figuresIn } from './cell-columns.ts';

/** A figure of a rate, as a column or as a table of its own. */
export interface Reading {
  what: string;
  unit: string;
  text: (point: RatePoint) => string | null;
}

export function latency(what: 'p50' | 'p99' | 'max'): Reading {
  const text = ({ summary }: RatePoint) => {
    if (summary.outcome.state === 'failed') return 'failed';
    const times = figuresIn(summary)?.latency;
    return times ? latencyTime(times[what]) : null;
  };
  return { what, unit: 'ms', text };
}

export const cpu: Reading = {
  ...{ what: 'CPU', unit: 'µs/request' },
  text: ({ summary }) => plusMinus(figuresIn(summary)?.cpuPerRequest, 1000),
};

/** What latency is of. */
export function planned({ driver }: OpenLoad, { all, late }: RateSummary['slices']): string {
  const forgets = DRIVERS.some(({ name, plansEverything }) => name === driver && !plansEverything);
  const unless = forgets ? `; once ${driver} has dropped one, from when each left` : '';
  const without =
    late === 0 || late === all
      ? ''
      : ` It is without ${count(late)} of ${count(all)} slices, in which the generator was late.`;
  return `Requests left at their planned times, and latency counts from there${unless}.${without}`;
}
