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
  /** A drawing of what other columns say, for which only a page has room. */
  onPage?: true;
}

/** A text, plain or with something that is to be seen at once; or a drawing. */
export type Text = string | { text: string; emphasis: Emphasis } | Drawing;

/** Values on a line that all drawings of a column share. */
export interface Drawing {
  /** For those who do not see it; nothing where what it shows stands beside it. */
  text: string;
  /** The length of the line, in letters. */
  width: number;
  spans: Span[];
}

/** A part of a line, as shares of its length; `at least` reaches to where a value surely is. */
export interface Span {
  from: number;
  to: number;
  /** `series`: of one of several that have a colour each. */
  look: 'at least' | 'at most' | 'dot' | 'mark' | { series: string };
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

/** A chart that a page draws; elsewhere its figures are a table. */
export interface Figure {
  kind: 'figure';
  chart: Plot;
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

/** Values over others, in panels that share what is below them. */
export interface Plot {
  title: string;
  /** What it shows, for those who see it and those who do not. */
  description: string;
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
