import type { Condition, RankedPair } from '../../summary/conditions.ts';
import type { Section } from '../document.ts';
import { intervalColumn } from '../drawings.ts';
import { asked } from '../format.ts';
import { conditionName } from '../names.ts';
import { paragraph, section } from '../section.ts';
import { comparisonColumns } from '../sections/comparison-columns.ts';
import { tableOf } from '../tabulate.ts';

const { times, verdict } = comparisonColumns<RankedPair>('', ({ comparison }) => comparison);

/** Every two targets of a condition, and how far they are apart; nothing where there are no two. */
export function pairsSections(condition: Condition, equivalence: number): Section[] {
  const rows = condition.pairs.filter(({ comparison }) => comparison.ratio.kind !== 'none');
  if (rows.length === 0) return [];
  const what = condition.load.headline === 'cpu' ? 'CPU a request' : 'requests/s';
  const columns = [
    times(`${what}, ratio`),
    intervalColumn<RankedPair>('', 'from 1 on', {
      ...{ rows, scale: 'log', base: 1 },
      of: ({ comparison }) => comparison.ratio,
    }),
    verdict(),
  ];
  const nameOf = ({ worse, better }: RankedPair) => `${worse.label} / ${better.label}`;
  const text =
    'One over the other, within rounds; with the 95 % interval of each pair alone. The verdict is about all ' +
    `pairs of this table together; the same is what is within ${asked(equivalence)}.`;
  return [
    section(`Every two, side by side, ${conditionName(condition)}`, [
      tableOf(['of', nameOf], columns, rows),
      paragraph(text),
    ]),
  ];
}
