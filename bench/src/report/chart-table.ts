import type { Bars, Chart, IntervalRow, Intervals, Plot, Point, Table } from './document.ts';
import { amount, type Column, tableOf, words } from './tabulate.ts';

/** The figures of a chart as a table: all that it shows, in words. */
export function chartTable(chart: Chart): Table {
  switch (chart.kind) {
    case 'intervals':
      return intervalsTable(chart);
    case 'plot':
      return plotTable(chart);
    case 'bars':
      return barsTable(chart);
  }
}

function intervalsTable({ axis, other, rows }: Intervals): Table {
  const columns: Column<IntervalRow>[] = [
    amount('', axis.label, ({ text }) => text),
    ...(other === null ? [] : [amount<IntervalRow>('', other, (row) => row.other?.text)]),
  ];
  return tableOf(['of', ({ name }) => name], columns, rows);
}

/** A point with the names of what it is of. */
interface PlacedPoint {
  panel: string;
  series: string;
  point: Point;
}

function plotTable({ x, y, panels }: Plot): Table {
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

function barsTable({ axis, rows }: Bars): Table {
  const names = [...new Set(rows.flatMap(({ parts }) => parts.map(({ name }) => name)))];
  const columns = names.map((name): Column<Bars['rows'][number]> => {
    return amount('', name, ({ parts }) => parts.find((part) => part.name === name)?.text);
  });
  const total = amount<Bars['rows'][number]>('', 'together', ({ text }) => text);
  return tableOf([axis.label, ({ name }) => name], [...columns, total], rows);
}
