import { pointOf } from '../../math/statistics.ts';
import type { Overhead, OverheadTable } from '../../summary/comparisons.ts';
import type { Section } from '../document.ts';
import { intervalColumn, onPage } from '../drawings.ts';
import { signedPlusMinus } from '../format.ts';
import { conditionName } from '../names.ts';
import { tableSection } from '../section.ts';
import { words } from '../tabulate.ts';
import { comparisonColumns } from './comparison-columns.ts';

/** What each target costs more than what it is built on. */
export function overheadSection(table: OverheadTable): Section {
  return stepSection('Overhead', table);
}

/** What each variant costs more than what it is a variant of. */
export function variantSection(table: OverheadTable): Section {
  return stepSection('Variants', table);
}

const { more, times, verdict } = comparisonColumns<Overhead>('', ({ comparison }) => comparison);

function stepSection(title: string, { rows, condition }: OverheadTable): Section {
  return tableSection(`${title}, read ${conditionName(condition)}`, {
    name: ['target', ({ target }) => target.label],
    columns: [
      words<Overhead>('', 'over', ({ over }) => over.label),
      more('CPU µs/request more'),
      onPage(
        intervalColumn('', 'at least, most', {
          ...{ rows, scale: 'linear', base: 0 },
          of: ({ comparison }) => comparison.difference,
        }),
      ),
      times('times'),
      verdict(),
    ],
    rows,
    flagsOf: ({ flags }) => flags,
    text: [overheadSentence(rows)],
  });
}

/** What the table of overheads shows. */
export function overheadSentence(rows: readonly Overhead[]): string {
  const costOf = ({ comparison }: Overhead) => pointOf(comparison.difference) ?? 0;
  const dearest = rows.reduce((most, row) => (costOf(row) > costOf(most) ? row : most));
  if (costOf(dearest) <= 0) return 'No step here costs more CPU than what it is built on.';
  const more = signedPlusMinus(dearest.comparison.difference, 1000);
  return (
    `Each request costs a server on ${dearest.target.label} ${more} µs of CPU over ${dearest.over.label}, ` +
    'the most of all steps here. A step whose interval holds 0 may cost nothing.'
  );
}
