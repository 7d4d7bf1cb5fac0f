import type { Figures } from '../../figures/figures.ts';
import { pointOf } from '../../math/statistics.ts';
import type { Curve, RateSummary } from '../../summary/rates.ts';
import type { Axis, Plot, Point, Series } from '../document.ts';
import { latencyTime, microseconds, number, perSecond } from '../format.ts';
import { topologyWords } from '../names.ts';
import { figuresIn } from '../sections/columns.ts';

/** Latency, requests/s answered and CPU time by rate, for each topology; nothing at a single rate. */
export function rateCharts({ loads, curves }: RateSummary): Plot[] {
  if (loads.length < 2) return [];
  return [...Map.groupBy(curves, ({ topology }) => topology)].flatMap(([topology, own]) => {
    const targets = own.map(({ target }) => target);
    return READINGS.map((reading) => {
      const series = own.map((curve) => seriesOf(curve, reading));
      return {
        title: `${reading.title}, ${topologyWords(topology, targets)}`,
        description:
          'The dashed line of each is its knee: the rate with the most throughput for its mean latency (Kleinrock 1979). ' +
          'Beyond it, more load adds more latency than throughput.',
        x: { ...LINEAR, label: 'requests/s sent', unit: 1 },
        y: reading.axis,
        joined: true,
        panels: [{ title: '', unknownAbove: null, series }],
      };
    });
  });
}

interface Reading {
  title: string;
  axis: Axis;
  /** In base units; null where it is not known. */
  of: (figures: Figures) => number | null;
  text: (value: number) => string;
}

const LINEAR = { scale: 'linear', origin: 0, ticks: null } as const;
const READINGS: Reading[] = [
  {
    title: 'p99 latency by rate',
    axis: { label: 'p99, ms', unit: 1e6, scale: 'log', origin: null, ticks: null },
    of: ({ latency }) => (latency?.p99.kind === 'known' ? latency.p99.ns : null),
    text: (ns) => latencyTime({ kind: 'known', ns }),
  },
  {
    title: 'Answered by rate',
    axis: { ...LINEAR, label: 'requests/s answered', unit: 1 },
    of: ({ throughput }) => pointOf(throughput),
    text: number,
  },
  {
    title: 'CPU by rate',
    axis: { ...LINEAR, label: 'CPU µs/request', unit: 1000 },
    of: ({ cpuPerRequest }) => pointOf(cpuPerRequest),
    text: microseconds,
  },
];

function seriesOf({ target: { label }, points, knee }: Curve, { of, text }: Reading): Series {
  return {
    name: label,
    points: points.flatMap(({ load: { ratePerS }, summary }): Point[] => {
      const figures = figuresIn(summary);
      const y = figures && of(figures);
      return y === null ? [] : [{ x: ratePerS, xText: perSecond(ratePerS), y, yText: text(y) }];
    }),
    mark: knee && {
      x: knee.load.ratePerS,
      text: `${label}: knee at ${perSecond(knee.load.ratePerS)}/s`,
    },
  };
}
