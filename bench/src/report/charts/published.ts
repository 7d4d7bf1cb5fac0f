import type { PublishedTable } from '../../summary/comparisons.ts';
import type { Intervals } from '../document.ts';
import { ratio, ratioRange } from '../format.ts';
import { loadName } from '../names.ts';

/** Published ratios beside those measured here. */
export function publishedChart({ rows, load, source, cpu }: PublishedTable): Intervals {
  return {
    kind: 'intervals',
    title: `Published beside measured, ${loadName(load)}`,
    description: `Requests/s over those of ${rows[0]?.base.target.label ?? 'the first'}; published: ${source}, on ${cpu}.`,
    axis: { label: 'requests/s, ratio', unit: 1, scale: 'log', origin: 1, ticks: null },
    band: null,
    other: 'published',
    rows: rows.map(({ target, topology, measured, published }) => ({
      name: `${target.label} (${topology})`,
      estimate: measured,
      text: ratioRange(measured),
      other: { value: published, text: ratio(published) },
    })),
  };
}
