import type { Code } from '../validity/flags.ts';
import { NONE } from './format.ts';

/** A report as data: what it says and in which order, not how that looks. */
export interface Document {
  title: string;
  /** Paragraphs: what was measured, on what, how and when. */
  intro: string[];
  /** What readers have to know before they read the figures. */
  warnings: string[];
  sections: Section[];
  foot: string[];
}

export interface Depth {
  /** All figures of every cell, and the evidence of each flag. */
  details: boolean;
  /** What the flags mean. */
  explain: boolean;
}

export interface Section {
  blocks: Block[];
}

export type Block =
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; text: string }
  | Table
  /** Of the table above. */
  | { kind: 'footnotes'; notes: Footnote[] }
  /** A page draws it; elsewhere its figures are a table. */
  | { kind: 'figure'; chart: Plot }
  | { kind: 'failure'; message: string; logTail: string[] }
  | { kind: 'definition'; term: string; text: string };

/** The first column names the rows. */
export interface Table {
  kind: 'table';
  columns: TableColumn[];
  rows: Text[][];
}

export interface TableColumn {
  /** Columns of the same group are read together. */
  group: string;
  /** A line break separates it from its unit, continues a line of the heads beside it, or keeps a long name narrow. */
  head: string;
  align: 'left' | 'right';
  /** A drawing of other columns, for which only a page has room. */
  onPage?: true;
}

/** A text, plain or emphasized (`struck`: crossed out, since it is misleading); or a drawing. */
export type Text = string | { text: string; emphasis: 'warn' | 'struck' } | Drawing;

/** Values on a line that all drawings of a column share. */
export interface Drawing {
  /** For readers who do not see it; empty where the cells beside it say the same. */
  text: string;
  /** The length of the line, in characters. */
  width: number;
  spans: Span[];
}

/** A part of a line, as shares of its length; `at least` reaches to the least that the value can be. */
export interface Span {
  from: number;
  to: number;
  /** `series`: one of several, each with its own colour. */
  look: 'at least' | 'at most' | 'dot' | 'mark' | { series: string };
}

export interface Footnote {
  letter: string;
  code: Code;
  /** Which figures it makes invalid, in words; null where none. */
  invalid: string | null;
  /** What was seen and in which rows; or what is wrong and what to do. */
  text: string;
}

/** Values are in base units, of which `unit` make one of the label's. */
export interface Axis {
  label: string;
  unit: number;
  scale: 'linear' | 'log';
  /** A value that is always on it, and stands out; null where there is none. */
  origin: number | null;
  /** The labelled values; null where the scale chooses them. */
  ticks: readonly number[] | null;
  text: (value: number) => string;
}

/** Values over others, in panels that share the x axis. */
export interface Plot {
  title: string;
  /** What it shows, for those who see it and those who do not. */
  description: string;
  x: Axis;
  y: Axis;
  /** Whether a line joins the points of a series. */
  joined: boolean;
  panels: Panel[];
}

export interface Panel {
  title: string;
  series: Series[];
  /** Above this, values could not be told apart; null where they all could. */
  unknownAbove: { value: number; text: string } | null;
}

export interface Series {
  name: string;
  points: { x: number; y: number }[];
  /** A place that stands out; null where none does. */
  mark: { x: number; text: string } | null;
}

/** What a column shows of a row; a dash where it is null or undefined. */
export type Cell = Text | null | undefined;

export interface Column<Row> extends TableColumn {
  cell: (row: Row) => Cell;
}

type MakeColumn = <Row>(group: string, head: string, cell: Column<Row>['cell']) => Column<Row>;

export const amount: MakeColumn = (group, head, cell) => ({ group, head, align: 'right', cell });

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
