import type { Scaling } from '../../summary/scaling.ts';
import type { IntervalRow, Intervals } from '../document.ts';
import { number, plural, plusMinus } from '../format.ts';
import { fewestFirst, stepName } from '../sections/steps.ts';

/** What each topology answered, beside the most that it could; null where nothing was measured. */
export function scalingChart({ targets, cores }: Scaling): Intervals | null {
  const rows = targets.flatMap(({ target, steps }) => {
    return fewestFirst(steps).flatMap(({ topology, summary, predicted }): IntervalRow[] => {
      const { outcome } = summary;
      if (outcome.state !== 'measured') return [];
      const { throughput } = outcome.figures;
      const other = predicted && {
        value: predicted.throughput,
        text: number(predicted.throughput),
      };
      const name = stepName(target, topology, targets.length);
      return [{ name, estimate: throughput, text: plusMinus(throughput), other }];
    });
  });
  if (rows.length === 0) return null;
  return {
    kind: 'intervals',
    title: 'Processes and what they answer',
    description:
      `Requests/s measured, with 95 % intervals over launches, beside the most that ${plural(cores, 'core')} ` +
      'can do by the service time of a request.',
    axis: { label: 'requests/s', unit: 1, scale: 'linear', origin: 0, ticks: null },
    band: null,
    other: 'predicted',
    rows,
  };
}
