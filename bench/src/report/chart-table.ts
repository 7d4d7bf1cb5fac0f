import type { Bars, Chart, IntervalRow, Intervals, Plot, Point, Table } from './document.ts';
import { NONE } from './format.ts';
import { type Column, tableOf } from './tabulate.ts';

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
    { group: '', head: axis.label, cell: ({ text }) => text },
    ...(other === null
      ? []
      : [{ group: '', head: other, cell: (row: IntervalRow) => row.other?.text ?? NONE }]),
  ];
  return tableOf({ head: 'of', cell: ({ name }) => name }, columns, rows);
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
    ...(isSplit
      ? [{ group: '', head: 'line', text: true as const, cell: (row: PlacedPoint) => row.series }]
      : []),
    { group: '', head: x.label, cell: ({ point }) => point.xText },
    { group: '', head: y.label, cell: ({ point }) => point.yText },
  ];
  return tableOf({ head: 'of', cell: ({ panel }) => panel }, columns, rows);
}

function barsTable({ axis, rows }: Bars): Table {
  const names = [...new Set(rows.flatMap(({ parts }) => parts.map(({ name }) => name)))];
  const columns = names.map((name): Column<Bars['rows'][number]> => {
    const cell = ({ parts }: Bars['rows'][number]) => {
      return parts.find((part) => part.name === name)?.text ?? NONE;
    };
    return { group: '', head: name, cell };
  });
  const total = { group: '', head: 'together', cell: ({ text }: Bars['rows'][number]) => text };
  return tableOf({ head: axis.label, cell: ({ name }) => name }, [...columns, total], rows);
}
