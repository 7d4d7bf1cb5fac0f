import type { ClaimTable } from '../../summary/claims.ts';
import type { Intervals } from '../document.ts';
import { ratio, ratioRange } from '../format.ts';
import { comparisonName, figureText } from '../sections/claims.ts';

/** Published ratios beside those measured here; null where there are none. */
export function publishedChart({ comparisons, source, machine }: ClaimTable): Intervals | null {
  const rows = comparisons.flatMap((row) => {
    const { declared, comparison } = row;
    const { published } = declared;
    if (published === undefined) return [];
    return [
      {
        name: `${comparisonName(row)}, ${figureText(declared)}`,
        estimate: comparison.ratio,
        text: ratioRange(comparison.ratio),
        other: { value: published, text: ratio(published) },
      },
    ];
  });
  if (rows.length === 0) return null;
  return {
    kind: 'intervals',
    title: 'Published beside measured',
    description: `Ratios; published: ${source}, on ${machine}.`,
    axis: { label: 'ratio', unit: 1, scale: 'log', origin: 1, ticks: null },
    band: null,
    other: 'published',
    rows,
  };
}
