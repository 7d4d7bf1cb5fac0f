import type { Condition, RankedPair } from '../../summary/conditions.ts';
import type { Section } from '../document.ts';
import { asked } from '../format.ts';
import { conditionName } from '../names.ts';
import { paragraph, section } from '../section.ts';
import { comparisonColumns, intervals } from '../sections/columns.ts';
import { tableOf } from '../tabulate.ts';

const { times, verdict } = comparisonColumns<RankedPair>('', ({ comparison }) => comparison);

/** The ratio of every two targets of a condition; nothing without a pair. */
export function pairsSections(condition: Condition, equivalence: number): Section[] {
  const rows = condition.pairs.filter(({ comparison }) => comparison.ratio.kind !== 'none');
  if (rows.length === 0) return [];
  const what = condition.load.headline === 'cpu' ? 'CPU per request' : 'requests/s';
  const columns = [
    times(`${what}, ratio`),
    intervals<RankedPair>('ratios', '', rows, ({ comparison }) => comparison.ratio),
    verdict(),
  ];
  const nameOf = ({ worse, better }: RankedPair) => `${worse.label} / ${better.label}`;
  return [
    section(`All pairs, ${conditionName(condition)}`, [
      tableOf(['pair', nameOf], columns, rows),
      paragraph(
        'Ratios are taken within rounds; each interval holds at 95 % for its pair alone. The verdicts hold for all pairs of ' +
          `this table together; ratios within ±${asked(equivalence)} count as the same.`,
      ),
    ]),
  ];
}
