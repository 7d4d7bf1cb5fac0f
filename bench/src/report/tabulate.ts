import type { Table, TableColumn, Text } from './document.ts';

/** A column of a table whose rows are made of these. */
export interface Column<Row> extends Pick<TableColumn, 'group' | 'head'> {
  cell: (row: Row) => Text;
  /** Figures go to the right, texts to the left. */
  text?: true;
}

/** A table of these rows, whose first column names them. */
export function tableOf<Row>(
  name: { head: string; cell: (row: Row) => Text },
  columns: Column<Row>[],
  rows: readonly Row[],
): Table {
  const all: Column<Row>[] = [{ group: '', text: true, ...name }, ...columns];
  return {
    kind: 'table',
    columns: all.map(({ group, head, text }) => ({ group, head, align: text ? 'left' : 'right' })),
    rows: rows.map((row) => all.map(({ cell }) => cell(row))),
  };
}

/** A column's head in one line. */
export function headText(head: TableColumn['head']): string {
  const text = typeof head === 'string' ? head : head.name;
  return text
    .replaceAll(/([/-])\n/g, '$1')
    .replaceAll('\n', ' ')
    .trim();
}
