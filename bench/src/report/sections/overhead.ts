import { pointOf } from '../../math/statistics.ts';
import type { Overhead, OverheadTable } from '../../summary/comparisons.ts';
import type { Section } from '../document.ts';
import { ratioRange, signedPlusMinus } from '../format.ts';
import { conditionName } from '../names.ts';
import { Notes } from '../notes.ts';
import { paragraph, section } from '../section.ts';
import { type Column, tableOf } from '../tabulate.ts';

/** What each target costs more than what it is built on. */
export function overheadSection(table: OverheadTable): Section {
  return stepSection('Overhead', table);
}

/** What each variant costs more than what it is a variant of. */
export function variantSection(table: OverheadTable): Section {
  return stepSection('Variants', table);
}

function stepSection(title: string, table: OverheadTable): Section {
  const { rows, condition } = table;
  const notes = new Notes(rows.map(({ target, flags }) => ({ label: target.label, flags })));
  const columns: Column<Overhead>[] = [
    { group: '', head: 'over', text: true, cell: ({ over }) => over.label },
    {
      group: '',
      head: 'CPU µs/request more',
      cell: ({ comparison }) => signedPlusMinus(comparison.difference, 1000),
    },
    { group: '', head: 'times', cell: ({ comparison }) => ratioRange(comparison.ratio) },
    { group: '', head: 'verdict', text: true, cell: ({ comparison }) => comparison.verdict },
    ...notes.column<Overhead>('', ({ flags }) => flags),
  ];
  const name = { head: 'target', cell: ({ target }: Overhead) => target.label };
  const blocks = [
    tableOf(name, columns, rows),
    ...notes.blocks(),
    paragraph(overheadSentence(rows)),
  ];
  return section(`${title}, read ${conditionName(condition)}`, blocks, notes.codes);
}

/** What the table of overheads shows. */
export function overheadSentence(rows: Overhead[]): string {
  const costOf = ({ comparison }: Overhead) => pointOf(comparison.difference) ?? 0;
  const dearest = rows.reduce((most, row) => (costOf(row) > costOf(most) ? row : most));
  if (costOf(dearest) <= 0) return 'No step here costs more CPU than what it is built on.';
  return (
    `Each request costs a server on ${dearest.target.label} ${signedPlusMinus(dearest.comparison.difference, 1000)} µs of CPU ` +
    `over ${dearest.over.label}, the most of all steps here. ` +
    'A step whose interval holds 0 may cost nothing.'
  );
}
