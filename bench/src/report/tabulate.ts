import type { Plot, Table, TableColumn, Text } from './document.ts';
import { NONE } from './format.ts';

/** What a column shows of a row; a dash where it is null or undefined. */
export type Cell = Text | null | undefined;

/** A column of a table whose rows are made of these. */
export interface Column<Row> extends TableColumn {
  cell: (row: Row) => Cell;
}

type MakeColumn = <Row>(
  group: string,
  head: TableColumn['head'],
  cell: Column<Row>['cell'],
) => Column<Row>;

/** A column of figures, aligned right. */
export const amount: MakeColumn = (group, head, cell) => ({ group, head, align: 'right', cell });

/** A column of words, aligned left. */
export const words: MakeColumn = (group, head, cell) => ({ group, head, align: 'left', cell });

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

/** The figures of a chart as a table. */
export function chartTable({ x, y, panels }: Plot): Table {
  const rows = panels.flatMap(({ title, series }) => {
    return series.flatMap(({ name, points }) => points.map((point) => ({ title, name, point })));
  });
  const isSplit = panels.some(({ series }) => series.length > 1);
  const line = words<(typeof rows)[number]>('', 'line', ({ name }) => name);
  const columns: (typeof line)[] = [
    ...(isSplit ? [line] : []),
    amount('', x.label, ({ point }) => x.text(point.x)),
    amount('', y.label, ({ point }) => y.text(point.y)),
  ];
  return tableOf(['of', ({ title }) => title], columns, rows);
}

/** A table without the columns for which this is true. */
export function withoutColumns(
  { columns, rows, ...table }: Table,
  isOut: (column: TableColumn, cells: readonly Text[]) => boolean,
): Table {
  const cellsAt = (at: number) => rows.map((row) => row[at] ?? '');
  const isKept = columns.map((column, at) => !isOut(column, cellsAt(at)));
  const only = <Each>(all: readonly Each[]) => all.filter((_, at) => isKept[at]);
  return { ...table, columns: only(columns), rows: rows.map(only) };
}

/** A table for readers who cannot see drawings: without those that only repeat the cells beside them. */
export function withoutDrawings(table: Table): Table {
  return withoutColumns(table, (_, cells) => {
    const isEmpty = (cell: Text) => typeof cell === 'object' && 'spans' in cell && cell.text === '';
    return cells.length > 0 && cells.every(isEmpty);
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
