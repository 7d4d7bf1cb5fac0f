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
  /** Whether it makes the figures wrong. */
  invalid: boolean;
  /** What was seen, and of which rows; or what whoever reads the figures is to do. */
  tells: 'evidence' | 'advice';
  text: string;
}

export interface Paragraph {
  kind: 'paragraph';
  text: string;
}

/** The data of a chart. */
export interface Figure {
  kind: 'figure';
  chart: Strips;
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
  lastWords: string[];
}

/** What a word means. */
export interface Definition {
  kind: 'definition';
  term: string;
  text: string;
}
