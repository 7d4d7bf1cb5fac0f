import type { Plot, Point, Table } from './document.ts';
import { amount, type Column, tableOf, words } from './tabulate.ts';

/** A point with the names of what it is of. */
interface PlacedPoint {
  panel: string;
  series: string;
  point: Point;
}

/** The figures of a chart as a table: all that it shows, in words. */
export function chartTable({ x, y, panels }: Plot): Table {
  const rows = panels.flatMap(({ title, series }) => {
    return series.flatMap(({ name, points }) => {
      return points.map((point): PlacedPoint => ({ panel: title, series: name, point }));
    });
  });
  const isSplit = panels.some(({ series }) => series.length > 1);
  const columns: Column<PlacedPoint>[] = [
    ...(isSplit ? [words<PlacedPoint>('', 'line', (row) => row.series)] : []),
    amount('', x.label, ({ point }) => point.xText),
    amount('', y.label, ({ point }) => point.yText),
  ];
  return tableOf(['of', ({ panel }) => panel], columns, rows);
}
