import type { Table, TableColumn, Text } from './document.ts';
import { NONE } from './format.ts';

/** What a column shows of a row; a dash where there is nothing to show. */
export type Cell = Text | null | undefined;

/** A column of a table whose rows are made of these. */
export interface Column<Row> extends TableColumn {
  cell: (row: Row) => Cell;
}

/** A column of figures, which go to the right. */
export function amount<Row>(
  group: string,
  head: TableColumn['head'],
  cell: Column<Row>['cell'],
): Column<Row> {
  return { group, head, align: 'right', cell };
}

/** A column of words, which go to the left. */
export function words<Row>(
  group: string,
  head: TableColumn['head'],
  cell: Column<Row>['cell'],
): Column<Row> {
  return { group, head, align: 'left', cell };
}

/** The head of the first column, and what names a row in it. */
export type Naming<Row> = readonly [head: string, nameOf: (row: Row) => string];

/** A table of these rows, whose first column names them. */
export function tableOf<Row>(
  [head, nameOf]: Naming<Row>,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): Table {
  const all = [words('', head, nameOf), ...columns];
  return {
    kind: 'table',
    columns: all.map(({ cell: _, ...column }) => column),
    rows: rows.map((row) => all.map(({ cell }) => cell(row) ?? NONE)),
  };
}

/** A table without the columns of which this is true. */
export function withoutColumns(
  { columns, rows, ...table }: Table,
  isOut: (column: TableColumn, cells: readonly Text[]) => boolean,
): Table {
  const kept = columns.map((column, at) => {
    return !isOut(
      column,
      rows.map((row) => row[at] ?? ''),
    );
  });
  const only = <Each>(all: readonly Each[]) => all.filter((_, at) => kept[at]);
  return { ...table, columns: only(columns), rows: rows.map(only) };
}

/** A table for those who can't see drawings: without those that only show what stands beside them. */
export function withoutDrawings(table: Table): Table {
  return withoutColumns(table, (_, cells) => {
    const texts = cells.map((cell) => (typeof cell === 'object' && 'spans' in cell ? cell : null));
    return texts.length > 0 && texts.every((drawing) => drawing !== null && drawing.text === '');
  });
}

/** A column's head in one line. */
export function headText(head: TableColumn['head']): string {
  const text = typeof head === 'string' ? head : head.name;
  return text
    .replaceAll(/([/-])\n/g, '$1')
    .replaceAll('\n', ' ')
    .trim();
}
