import type { Time } from '../../figures/latency.ts';
import type { Condition } from '../../summary/conditions.ts';
import type { Plot, Series } from '../document.ts';
import { latencyTime, limit } from '../format.ts';
import { capitalized, conditionName } from '../names.ts';

/** Shares that are named below the chart. */
const NAMED = [0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999];

/**
 * How long requests of a condition took, more and more of the tail to the right; null where there was no
 * latency.
 */
export function quantilesChart(condition: Condition): Plot | null {
  const tails = condition.cells.flatMap(({ target, outcome }) => {
    const latency = outcome.state === 'measured' ? outcome.figures.latency : null;
    if (latency === null) return [];
    // A share beyond which there is not one request says nothing.
    const { count } = latency.survivors;
    const tail = latency.tail.filter(({ share }) => (1 - share) * count >= 1);
    return [{ name: target.label, tail }];
  });
  const all = tails.flatMap(({ tail }) => tail);
  if (all.length === 0) return null;
  const last = Math.max(...all.map(({ share }) => share));
  const waits = all.flatMap(({ time }) => (time.kind === 'above' ? [time.ns] : []));
  const longest = waits.length === 0 ? null : Math.min(...waits);
  return {
    title: capitalized(conditionName(condition)),
    description:
      'Latency by the share of requests that took no longer, of all slices together; both scales are ' +
      'logarithmic, so that the tail has room.',
    x: {
      ...{ label: 'share of the requests', unit: 1, scale: 'log', origin: null },
      ticks: NAMED.filter((share) => share <= last).map((share) => ({
        value: tailOf(share),
        text: shareText(share),
      })),
    },
    y: { label: 'latency, ms', unit: 1e6, scale: 'log', origin: null, ticks: null },
    joined: true,
    panels: [
      {
        title: '',
        series: tails.map(({ name, tail }): Series => {
          const known = tail.filter(({ time }) => isDrawn(time));
          const points = known.map(({ share, time }) => ({
            ...{ x: tailOf(share), xText: shareText(share) },
            ...{ y: time.ns, yText: latencyTime(time) },
          }));
          return { name, points, mark: null };
        }),
        unknownAbove:
          longest === null
            ? null
            : { value: longest, text: `longer than ${limit(longest)}: not told apart` },
      },
    ],
  };
}

/** On a logarithmic scale there is no 0; what is only known to be above a time is in the hatched part. */
function isDrawn({ kind, ns }: Time): boolean {
  return kind === 'known' && ns > 0;
}

/** The last tenth is as wide as the tenth of that. */
function tailOf(share: number): number {
  return 1 / (1 - share);
}

function shareText(share: number): string {
  return `${Number((share * 100).toPrecision(7))} %`;
}
