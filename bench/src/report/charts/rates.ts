import { pointOf } from '../../math/statistics.ts';
import type { Curve, RatePoint, RateSummary } from '../../summary/rates.ts';
import type { Axis, Plot, Point, Series } from '../document.ts';
import { latencyTime, number, perSecond } from '../format.ts';
import { topologyWords } from '../names.ts';

/** Latency, what was answered, and CPU time by the rate, for each topology; nothing at one rate alone. */
export function rateCharts({ loads, curves }: RateSummary): Plot[] {
  if (loads.length < 2) return [];
  return [...Map.groupBy(curves, ({ topology }) => topology)].flatMap(([topology, own]) => {
    const where = topologyWords(
      topology,
      own.map(({ target }) => target),
    );
    return READINGS.map(({ title, axis, reading }): Plot => {
      return {
        title: `${title}, ${where}`,
        description:
          'The dashed line of each is its knee: the rate with the most throughput for its mean latency ' +
          '(Kleinrock 1979). Beyond it more load costs more latency than it brings answers.',
        x: { label: 'requests/s that were sent', unit: 1, scale: 'linear', origin: 0, ticks: null },
        y: axis,
        joined: true,
        panels: [
          { title: '', unknownAbove: null, series: own.map((curve) => seriesOf(curve, reading)) },
        ],
      };
    });
  });
}

/** What a rate came to, in base units and as text; null where that is not known. */
type ReadingOf = (point: RatePoint) => { value: number; text: string } | null;

const LINEAR = { scale: 'linear', origin: 0, ticks: null } as const;
const READINGS: { title: string; axis: Axis; reading: ReadingOf }[] = [
  {
    title: 'p99 latency by rate',
    axis: { label: 'p99, ms', unit: 1e6, scale: 'log', origin: null, ticks: null },
    reading: ({ summary: { outcome } }) => {
      const time = outcome.state === 'measured' ? outcome.figures.latency?.p99 : undefined;
      return time?.kind === 'known' ? { value: time.ns, text: latencyTime(time) } : null;
    },
  },
  {
    title: 'Answered by rate',
    axis: { ...LINEAR, label: 'requests/s answered', unit: 1 },
    reading: ({ summary: { outcome } }) => {
      const value = outcome.state === 'measured' ? pointOf(outcome.figures.throughput) : null;
      return value === null ? null : { value, text: number(value) };
    },
  },
  {
    title: 'CPU by rate',
    axis: { ...LINEAR, label: 'µs of CPU a request', unit: 1000 },
    reading: ({ summary: { outcome } }) => {
      const value = outcome.state === 'measured' ? pointOf(outcome.figures.cpuPerRequest) : null;
      return value === null ? null : { value, text: number(value / 1000) };
    },
  },
];

function seriesOf({ target, points, knee }: Curve, reading: ReadingOf): Series {
  return {
    name: target.label,
    points: points.flatMap((point): Point[] => {
      const found = reading(point);
      const { ratePerS } = point.load;
      if (found === null) return [];
      return [{ x: ratePerS, xText: perSecond(ratePerS), y: found.value, yText: found.text }];
    }),
    mark: knee && {
      x: knee.load.ratePerS,
      text: `${target.label}: knee at ${perSecond(knee.load.ratePerS)}/s`,
    },
  };
}
