import type { CellSummary } from '../summary/summary.ts';
import type { Flag } from '../validity/flags.ts';
import {
  type Block,
  type Column,
  type Naming,
  type Section,
  type Table,
  tableOf,
} from './document.ts';
import { sentences } from './format.ts';
import { capitalized } from './names.ts';
import { type FlaggedRow, notesOf } from './notes.ts';

/** A text is a paragraph; what is null or empty is left out. */
type Part = Block | string | null;

/** A part of a report below a heading. */
export function section(heading: string, parts: readonly Part[]): Section {
  const head: Block = { kind: 'heading', text: capitalized(heading) };
  return { blocks: [head, ...parts.flatMap(blocksOf)] };
}

/** A part without a heading. */
export function unheaded(part: Part): Section {
  return { blocks: blocksOf(part) };
}

function blocksOf(part: Part): Block[] {
  if (!part) return [];
  return [typeof part === 'string' ? { kind: 'paragraph', text: part } : part];
}

/** A table and the text about it; nothing without rows. */
export function sectionIfAny(heading: string, table: Table, text: string): Section[] {
  return table.rows.length === 0 ? [] : [section(heading, [table, text])];
}

/** A table with footnotes, and what is said below it. */
interface SectionTable<Row> {
  name: Naming<Row>;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  flagsOf: (row: Row) => readonly Flag[];
  /** What the footnotes are about, if not these rows by their names in the table. */
  noted?: readonly FlaggedRow[];
  flagGroup?: string;
  /** The sentences of a paragraph below the table. */
  text?: readonly (string | null)[];
}

/** A table with its footnotes. */
export function flaggedTable<Row>(table: SectionTable<Row>): Block[] {
  const { name, columns, rows, flagsOf, flagGroup = '' } = table;
  const named = rows.map((row) => ({ label: name[1](row), flags: flagsOf(row) }));
  const notes = notesOf(table.noted ?? named);
  const all = [...columns, ...notes.column(flagGroup, flagsOf)];
  return [tableOf(name, all, rows), ...notes.blocks];
}

/** A part of a report: a table with its footnotes, and the text about it. */
export function tableSection<Row>(heading: string, table: SectionTable<Row>): Section {
  return section(heading, [...flaggedTable(table), sentences(...(table.text ?? []))]);
}

/** The same for cells of the run, with their flags unless `flagsOf` is given. */
export function cellSection<Row extends CellSummary>(
  heading: string,
  table: Omit<SectionTable<Row>, 'flagsOf'> & Partial<SectionTable<Row>>,
): Section {
  if (isUnreached(table.rows)) return unreachedSection(heading);
  return tableSection(heading, { flagsOf: ({ flags }) => flags, ...table });
}

/** Whether the run ended before the first slice of any of these cells. */
export function isUnreached(cells: readonly CellSummary[]): boolean {
  return cells.every(({ state }) => state === 'not reached');
}

export function unreachedSection(heading: string): Section {
  return section(heading, ['Nothing was measured here.']);
}
