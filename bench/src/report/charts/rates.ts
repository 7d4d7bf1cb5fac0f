import type { Figures } from '../../figures/figures.ts';
import { pointOf } from '../../math/statistics.ts';
import type { Curve, RateSummary } from '../../summary/rates.ts';
import type { Axis, Plot, Series } from '../document.ts';
import { latencyTime, microseconds, number, perSecond } from '../format.ts';
import { topologyWords } from '../names.ts';
import { figuresIn } from '../sections/columns.ts';

/** Latency, requests/s answered and CPU time by rate, for each topology; nothing at a single rate. */
export function rateCharts({ loads, curves }: RateSummary): Plot[] {
  if (loads.length < 2) return [];
  return [...Map.groupBy(curves, ({ topology }) => topology)].flatMap(([topology, own]) => {
    const targets = own.map(({ target }) => target);
    return READINGS.map(({ title, y, of }) => {
      const series = own.map((curve) => seriesOf(curve, of));
      return {
        title: `${title}, ${topologyWords(topology, targets)}`,
        description:
          'The dashed line of each is its knee: the rate with the most throughput for its mean latency (Kleinrock 1979). ' +
          'Beyond it, more load adds more latency than throughput.',
        x: { ...LINEAR, label: 'requests/s sent', unit: 1, text: perSecond },
        y,
        joined: true,
        panels: [{ title: '', unknownAbove: null, series }],
      };
    });
  });
}

/** In base units; null where it is not known. */
type FigureOf = (figures: Figures) => number | null;

const LINEAR = { scale: 'linear', origin: 0, ticks: null } as const;
const READINGS: { title: string; y: Axis; of: FigureOf }[] = [
  {
    title: 'p99 latency by rate',
    y: {
      label: 'p99, ms',
      unit: 1e6,
      scale: 'log',
      origin: null,
      ticks: null,
      text: (ns) => latencyTime({ kind: 'known', ns }),
    },
    of: ({ latency }) => (latency?.p99.kind === 'known' ? latency.p99.ns : null),
  },
  {
    title: 'Answered by rate',
    y: { ...LINEAR, label: 'requests/s answered', unit: 1, text: number },
    of: ({ throughput }) => pointOf(throughput),
  },
  {
    title: 'CPU by rate',
    y: { ...LINEAR, label: 'CPU µs/request', unit: 1000, text: microseconds },
    of: ({ cpuPerRequest }) => pointOf(cpuPerRequest),
  },
];

function seriesOf({ target: { label }, points, knee }: Curve, of: FigureOf): Series {
  return {
    name: label,
    points: points.flatMap(({ load: { ratePerS }, summary }) => {
      const figures = figuresIn(summary);
      const y = figures && of(figures);
      return y === null ? [] : [{ x: ratePerS, y }];
    }),
    mark: knee && {
      x: knee.load.ratePerS,
      text: `${label}: knee at ${perSecond(knee.load.ratePerS)}/s`,
    },
  };
}
