import type { Condition } from '../../summary/summary.ts';
import type { Plot } from '../document.ts';
import { latencyTime, limit } from '../format.ts';
import { capitalized, conditionName } from '../names.ts';
import { figuresIn } from '../sections/columns.ts';

/** The ticks of the x axis. */
const NAMED = [0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999];

/** Latency quantiles of a condition on a scale that widens the tail; nothing where no latency was measured. */
export function quantilesCharts(condition: Condition): Plot[] {
  const tails = condition.cells.flatMap((cell) => {
    const latency = figuresIn(cell)?.latency;
    if (!latency) return [];
    // A quantile beyond which there is not one request says nothing.
    const { count } = latency.survivors;
    const tail = latency.tail.filter(({ share }) => (1 - share) * count >= 1);
    return [{ name: cell.target.label, tail }];
  });
  const all = tails.flatMap(({ tail }) => tail);
  if (all.length === 0) return [];
  const last = Math.max(...all.map(({ share }) => share));
  const ticks = NAMED.filter((share) => share <= last).map(tailOf);
  const series = tails.map(({ name, tail }) => ({
    name,
    mark: null,
    // A logarithmic scale has no 0; times that are only lower bounds are in the hatched part.
    points: tail
      .filter(({ time: { kind, ns } }) => kind === 'known' && ns > 0)
      .map(({ share, time: { ns } }) => ({ x: tailOf(share), y: ns })),
  }));
  const waits = all.flatMap(({ time }) => (time.kind === 'above' ? [time.ns] : []));
  const value = Math.min(...waits);
  const unknownAbove = { value, text: `longer than ${limit(value)}: can't be told apart` };
  const log = { scale: 'log', origin: null } as const;
  return [
    {
      title: capitalized(conditionName(condition)),
      description:
        'Latency by the share of requests that took no longer, of all slices together. Both scales are logarithmic, to make ' +
        'room for the tail.',
      x: { ...log, label: 'share of the requests', unit: 1, ticks, text: shareText },
      y: {
        ...log,
        label: 'latency, ms',
        unit: 1e6,
        ticks: null,
        text: (ns) => latencyTime({ kind: 'known', ns }),
      },
      joined: true,
      panels: [{ title: '', series, unknownAbove: waits.length > 0 ? unknownAbove : null }],
    },
  ];
}

/** On this logarithmic scale 90 to 99 % is as wide as 99 to 99.9 %. */
function tailOf(share: number): number {
  return 1 / (1 - share);
}

/** The share of which this is the tail. */
function shareText(tail: number): string {
  return `${Number((100 - 100 / tail).toPrecision(7))} %`;
}
