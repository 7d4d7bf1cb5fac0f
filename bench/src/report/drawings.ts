import { scaleLinear, scaleLog } from 'd3-scale';
import type { Estimate } from '../math/statistics.ts';
import type { Drawing, Span } from './document.ts';
import { amount, type Column, words } from './tabulate.ts';

/** Lengths of lines, in letters: of one beside its figures, and of one that shows all there is. */
const SHORT = 14;
const LONG = 48;

/** An amount that is made of parts. */
export interface Parted {
  name: string;
  parts: { name: string; value: number; text: string }[];
  /** All of it. */
  text: string;
}

/** Estimates, drawn from this value on, along a line that holds all of them. */
interface IntervalsOf<Row> {
  rows: readonly Row[];
  of: (row: Row) => Estimate | null | undefined;
  scale: 'linear' | 'log';
  base: number;
  /** Another value, which is marked. */
  mark?: (row: Row) => number | null | undefined;
}

/** A column that draws estimates: full up to where each is at least, and lighter up to where it is at most. */
export function intervalColumn<Row>(
  group: string,
  head: string,
  { rows, of, scale, base, mark = () => null }: IntervalsOf<Row>,
): Column<Row> {
  const marks = rows.map(mark).filter((value) => value != null);
  const all = [base, ...marks, ...rows.flatMap((row) => endsOf(of(row)))];
  // What is less than nothing has no length.
  const place = placing(scale === 'log' ? all : all.filter((value) => value >= base), scale);
  const spansOf = (row: Row): Span[] => {
    const ends = endsOf(of(row)).map(place);
    if (ends.length === 0) return [];
    const [low, high] = [Math.min(...ends), Math.max(...ends)];
    const [from, other] = [place(base), mark(row)];
    const least = low > from ? low : Math.min(high, from);
    return [
      { from: Math.min(from, least), to: Math.max(from, least), look: 'at least' },
      { from: low, to: high, look: 'at most' },
      ...(other == null ? [] : [{ from: place(other), to: place(other), look: 'mark' as const }]),
    ];
  };
  return words(group, head, (row) => drawing(SHORT, spansOf(row)));
}

/** A column that has a dot for each of several values; `ends` are those of the line. */
export function dotColumn<Row>(
  head: string,
  ends: (row: Row) => readonly number[],
  valuesOf: (row: Row) => readonly number[],
  text: (value: number) => string,
): Column<Row> {
  return words('', head, (row) => {
    const place = placing(ends(row), 'linear');
    const spans = valuesOf(row).map((value): Span => {
      return { from: place(value), to: place(value), look: 'dot' };
    });
    return { text: valuesOf(row).map(text).join(', '), width: LONG, spans };
  });
}

/** A column for each of the parts of these amounts, one for all of it, and on a page one that draws them. */
export function partColumns(rows: readonly Parted[]): Column<Parted>[] {
  const names = [...new Set(rows.flatMap(({ parts }) => parts.map(({ name }) => name)))];
  const whole = ({ parts }: Parted) => parts.reduce((sum, { value }) => sum + value, 0);
  const place = placing([0, ...rows.map(whole)], 'linear');
  const spansOf = ({ parts }: Parted): Span[] => {
    let sum = 0;
    return parts.map(({ name, value }) => {
      const from = place(sum);
      sum += value;
      return { from, to: place(sum), look: { series: name } };
    });
  };
  return [
    ...names.map((name) => {
      return amount<Parted>(
        '',
        name,
        ({ parts }) => parts.find((each) => each.name === name)?.text,
      );
    }),
    amount('', 'together', ({ text }) => text),
    onPage(words('', '', (row) => drawing(LONG, spansOf(row)))),
  ];
}

/** The column, for which only a page has room. */
export function onPage<Row>(column: Column<Row>): Column<Row> {
  return { ...column, onPage: true };
}

function drawing(width: number, spans: Span[]): Drawing {
  return { text: '', width, spans };
}

function endsOf(estimate: Estimate | null | undefined): number[] {
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
