import { amount, type Plot, type Table, type Text, tableOf, words } from './document.ts';

/** The figures of a chart. */
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

export function withoutColumns(
  { columns, rows, ...table }: Table,
  isOut: (column: Table['columns'][number], cells: readonly Text[]) => boolean,
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
export function headText(head: string): string {
  // A word may be broken after a slash or a hyphen.
  return head
    .replaceAll(/(?<=\S[/-])\n/g, '')
    .replaceAll('\n', ' ')
    .trim();
}
