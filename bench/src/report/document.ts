import type { Estimate } from '../math/statistics.ts';
import type { Code } from '../validity/flags.ts';

/** A report as data: what it says, in which order, and nothing of how that looks. */
export interface Document extends Head {
  sections: Section[];
  /** Paragraphs below all sections. */
  foot: string[];
}

/** How much a report says. */
export interface Depth {
  /** All figures of every cell, and what was seen where a flag is shown. */
  details: boolean;
  /** What the flags mean. */
  explain: boolean;
}

/** What stands above the sections. */
export interface Head {
  title: string;
  /** What was measured, on what, how and when, in paragraphs. */
  intro: string[];
  /** What has to be known before the figures are read. */
  warnings: string[];
}

/** A part of a report. */
export interface Section {
  blocks: Block[];
  /** The flags that it shows, which the report has to explain. */
  flags: readonly Code[];
}

export type Block = Heading | Table | Footnotes | Paragraph | Figure | Failure | Definition;

export interface Heading {
  kind: 'heading';
  text: string;
}

/** The first column names the rows. */
export interface Table {
  kind: 'table';
  columns: TableColumn[];
  /** A cell for each column. */
  rows: Text[][];
}

export interface TableColumn {
  /** Columns of the same group are read together. */
  group: string;
  /**
   * What a column is of. Between a thing and its unit, or between lines that go on in the heads beside
   * it, there is a line break. A name may be broken anywhere between its words.
   */
  head: string | { name: string };
  align: 'left' | 'right';
}

/** A text, plain or with something that is to be seen at once; or a value as a bar. */
export type Text = string | { text: string; emphasis: Emphasis } | Bar;

/** A value from 0 on, with its interval, beside others of which `most` is the end of the longest. */
export interface Bar {
  low: number;
  high: number;
  most: number;
}

/** `struck`: crossed out, since it says something else than it seems to. */
export type Emphasis = 'warn' | 'struck';

/** The footnotes of the table above. */
export interface Footnotes {
  kind: 'footnotes';
  notes: Footnote[];
}

export interface Footnote {
  /** As in the table. */
  letter: string;
  code: Code;
  /** Which figures it makes wrong, in words; null where it only says to be careful. */
  invalid: string | null;
  /** What was seen, and of which rows; or what whoever reads the figures is to do. */
  tells: 'evidence' | 'advice';
  text: string;
}

export interface Paragraph {
  kind: 'paragraph';
  text: string;
}

/** The data of a chart, with its figures as texts. */
export interface Figure {
  kind: 'figure';
  chart: Strips | Chart;
}

/** A chart that a page draws; elsewhere its figures are a table. */
export type Chart = Intervals | Plot | Bars;

/** What a chart is called, and what it shows, for those who see it and those who do not. */
interface ChartTexts {
  title: string;
  description: string;
}

/** What a line of values is of. Values are in base units, of which `unit` make one of the label's. */
export interface Axis {
  label: string;
  unit: number;
  scale: 'linear' | 'log';
  /** A value that is always on it, and stands out; null where there is none. */
  origin: number | null;
  /** Values that are named; null where the scale tells them. */
  ticks: { value: number; text: string }[] | null;
}

/** Values with what is known of them: a line for each, all on one scale. */
export interface Intervals extends ChartTexts {
  kind: 'intervals';
  axis: Axis;
  /** Values that come to the same; null where that is no question. */
  band: { low: number; high: number; text: string } | null;
  /** What the rows' other values are; null where no row has one. */
  other: string | null;
  rows: IntervalRow[];
}

export interface IntervalRow {
  name: string;
  estimate: Estimate;
  text: string;
  other: { value: number; text: string } | null;
}

/** Values over others, in panels that share what is below them. */
export interface Plot extends ChartTexts {
  kind: 'plot';
  x: Axis;
  y: Axis;
  /** The points of a series make a line, or stand alone. */
  joined: boolean;
  panels: Panel[];
}

export interface Panel {
  title: string;
  series: Series[];
  /** Above this nothing could be told apart; null where everything could. */
  unknownAbove: { value: number; text: string } | null;
}

export interface Series {
  name: string;
  points: Point[];
  /** A place of it that matters; null where none does. */
  mark: { x: number; text: string } | null;
}

export interface Point {
  x: number;
  y: number;
  xText: string;
  yText: string;
}

/** Amounts made of parts: a bar for each row. */
export interface Bars extends ChartTexts {
  kind: 'bars';
  axis: Axis;
  rows: { name: string; parts: Part[]; text: string }[];
}

export interface Part {
  name: string;
  value: number;
  text: string;
}

/** Values as dots along a line: panels with a scale of their own, in each of them a line for each row. */
export interface Strips {
  kind: 'strips';
  panels: { title: string; scale: Scale; rows: { name: string; values: number[] }[] }[];
}

/** The ends of a line, with their texts. */
export interface Scale {
  low: { value: number; text: string };
  high: { value: number; text: string };
}

/** What went wrong with a server, and the last lines that it wrote. */
export interface Failure {
  kind: 'failure';
  message: string;
  logTail: string[];
}

/** What a word means. */
export interface Definition {
  kind: 'definition';
  term: string;
  text: string;
}
