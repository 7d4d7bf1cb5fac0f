import { pointOf } from '../../math/statistics.ts';
import type { Overhead, OverheadTable } from '../../summary/comparisons.ts';
import type { Section } from '../document.ts';
import { onPage } from '../drawings.ts';
import { signedPlusMinus } from '../format.ts';
import { conditionName } from '../names.ts';
import { tableSection } from '../section.ts';
import { words } from '../tabulate.ts';
import { comparisonColumns, intervals, TARGET } from './columns.ts';

/** The overhead of each target over what it is built on. */
export function overheadSection(table: OverheadTable): Section {
  return stepSection('Overhead', table);
}

/** The overhead of each variant over its original. */
export function variantSection(table: OverheadTable): Section {
  return stepSection('Variants', table);
}

const { more, times, verdict } = comparisonColumns<Overhead>('', ({ comparison }) => comparison);

function stepSection(title: string, { rows, condition }: OverheadTable): Section {
  const differenceOf = ({ comparison }: Overhead) => comparison.difference;
  return tableSection(`${title}, ${conditionName(condition)}`, {
    name: TARGET,
    columns: [
      words<Overhead>('', 'over', ({ over }) => over.label),
      more('more CPU,\nµs/request'),
      onPage(intervals('values', '', rows, differenceOf)),
      times('times'),
      verdict(),
    ],
    rows,
    flagsOf: ({ flags }) => flags,
    text: [dearestText(rows)],
  });
}

function dearestText(rows: readonly Overhead[]): string {
  const costOf = ({ comparison }: Overhead) => pointOf(comparison.difference) ?? 0;
  const dearest = rows.reduce((most, row) => (costOf(row) > costOf(most) ? row : most));
  if (costOf(dearest) <= 0) return 'No step here costs more CPU than what it is built on.';
  const more = signedPlusMinus(dearest.comparison.difference, 1000);
  return (
    `${dearest.target.label} adds the most: ${more} µs of CPU per request over ${dearest.over.label}. A step whose interval ` +
    'includes 0 may cost nothing.'
  );
}
