import { scaleLinear, scaleLog } from 'd3-scale';
import { sum } from '../figures/figures.ts';
import type { MaybeEstimate } from '../math/statistics.ts';
import { amount, type Column, type Drawing, type Span, words } from './document.ts';

/** Lengths of lines, in characters: beside figures, and where the line shows everything. */
const SHORT = 14;
const LONG = 48;

/** Draws estimates from 0, or ratios from 1 on a logarithmic scale: full up to the least, lighter up to the most. */
export function intervals<Row>(
  kind: 'ratios' | 'values',
  group: string,
  rows: readonly Row[],
  of: (row: Row) => MaybeEstimate,
  mark: (row: Row) => number | null | undefined = () => null,
): Column<Row> {
  const [scale, base] = kind === 'ratios' ? (['log', 1] as const) : (['linear', 0] as const);
  const marksOf = (row: Row) => [mark(row)].filter((value) => value != null);
  const all = rows.flatMap((row) => [...marksOf(row), ...endsOf(of(row))]);
  // On a linear scale what is below the base has no length.
  const shown = all.filter((value) => scale === 'log' || value >= base);
  const place = placing([base, ...shown], scale);
  return words(group, '95 %\ninterval', (row) => {
    const [from, ends] = [place(base), endsOf(of(row)).map(place)];
    if (ends.length === 0) return drawing(SHORT, []);
    const [low, high] = [Math.min(...ends), Math.max(...ends)];
    const least = low > from ? low : Math.min(high, from);
    return drawing(SHORT, [
      { from: Math.min(from, least), to: Math.max(from, least), look: 'at least' },
      { from: low, to: high, look: 'at most' },
      ...marksOf(row).map((value) => spot(place(value), 'mark')),
    ]);
  });
}

/** A column that has a dot for each value of a row, on a line that holds `all`. */
export function dotColumn<Row extends { values: number[]; all: number[] }>(
  head: string,
  text: (value: number) => string,
): Column<Row> {
  return words('', head, ({ values, all }) => {
    const spans = values.map(placing(all, 'linear')).map((place) => spot(place, 'dot'));
    return { ...drawing(LONG, spans), text: values.map(text).join(', ') };
  });
}

/** A column for each part of these amounts, one for all `together`, and on a page one that draws them. */
export function partColumns<Row extends { parts: { name: string; value: number }[] }>(
  rows: readonly Row[],
  text: (value: number) => string,
  together: (row: Row) => string,
): Column<Row>[] {
  const names = [...new Set(rows.flatMap(({ parts }) => parts.map(({ name }) => name)))];
  const sumOf = (parts: Row['parts']) => sum(parts, ({ value }) => value);
  const place = placing([0, ...rows.map(({ parts }) => sumOf(parts))], 'linear');
  const bar = words<Row>('', '', ({ parts }) => {
    const endOf = (count: number) => place(sumOf(parts.slice(0, count)));
    const spans = parts.map(({ name }, index): Span => {
      return { from: endOf(index), to: endOf(index + 1), look: { series: name } };
    });
    return drawing(LONG, spans);
  });
  return [
    ...names.map((name) => {
      return amount<Row>('', name, ({ parts }) => {
        const part = parts.find((each) => each.name === name);
        return part && text(part.value);
      });
    }),
    amount('', 'together', together),
    onPage(bar),
  ];
}

export function onPage<Row>(column: Column<Row>): Column<Row> {
  return { ...column, onPage: true };
}

function drawing(width: number, spans: Span[]): Drawing {
  return { text: '', width, spans };
}

function spot(place: number, look: 'dot' | 'mark'): Span {
  return { from: place, to: place, look };
}

function endsOf(estimate: MaybeEstimate): number[] {
  if (estimate == null || estimate.kind === 'none') return [];
  return estimate.kind === 'point' ? [estimate.value] : [estimate.low, estimate.high];
}

/** Where values are on a line that holds all of these. */
function placing(values: readonly number[], scale: 'linear' | 'log'): (value: number) => number {
  const known = values.filter((value) => scale === 'linear' || value > 0);
  const make = scale === 'log' ? scaleLog : scaleLinear;
  return make()
    .domain([Math.min(...known), Math.max(...known)])
    .clamp(true);
}
