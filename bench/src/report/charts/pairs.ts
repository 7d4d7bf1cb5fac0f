import type { Condition } from '../../summary/conditions.ts';
import type { Intervals } from '../document.ts';
import { asked, ratioRange } from '../format.ts';
import { capitalized, conditionName } from '../names.ts';

/** Every two targets of a condition, and how far they are apart; null where there are no two. */
export function pairsChart(condition: Condition, equivalence: number): Intervals | null {
  const { pairs, load } = condition;
  const known = pairs.filter(({ comparison }) => comparison.ratio.kind !== 'none');
  if (known.length === 0) return null;
  const what = load.headline === 'cpu' ? 'CPU a request' : 'requests/s';
  return {
    kind: 'intervals',
    title: capitalized(conditionName(condition)),
    description:
      `${capitalized(what)} of one over that of the other, within rounds; with the 95 % interval of each ` +
      'pair alone. The verdict is about all pairs of this chart together.',
    axis: { label: `${what}, ratio`, unit: 1, scale: 'log', origin: 1, ticks: null },
    band: {
      low: 1 / (1 + equivalence),
      high: 1 + equivalence,
      text: `the same: within ${asked(equivalence)}`,
    },
    other: null,
    rows: known.map(({ better, worse, comparison: { ratio, verdict } }) => ({
      name: `${worse.label} / ${better.label}`,
      estimate: ratio,
      text: `${ratioRange(ratio)} ${verdict}`,
      other: null,
    })),
  };
}
