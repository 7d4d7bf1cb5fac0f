import type { Aspect } from '../figures/figures.ts';
import type { CellSummary } from '../summary/summary.ts';
import { type Code, type Flag, invalidates } from '../validity/flags.ts';
import { type Block, type Column, type Naming, type Section, tableOf, words } from './document.ts';
import { evidenceText, FLAG_TEXTS } from './flag-texts.ts';
import { list, sentences } from './format.ts';
import { capitalized, rowNames } from './names.ts';

/** A text is a paragraph; what is null or empty is left out. */
type Part = Block | string | null;

/** A part of a report below a heading. */
export function section(heading: string, parts: readonly Part[]): Section {
  const head: Block = { kind: 'heading', text: capitalized(heading) };
  return { blocks: [head, ...parts.flatMap(blocksOf)] };
}

export function unheaded(part: Part): Section {
  return { blocks: blocksOf(part) };
}

function blocksOf(part: Part): Block[] {
  if (!part) return [];
  return [typeof part === 'string' ? { kind: 'paragraph', text: part } : part];
}

/** A table with footnotes, and what is said below it. */
interface SectionTable<Row> {
  name: Naming<Row>;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  flagsOf?: (row: Row) => readonly Flag[];
  /** What the footnotes are about, if not these rows by their names in the table. */
  noted?: readonly FlaggedRow[];
  flagGroup?: string;
  /** The sentences of a paragraph below the table. */
  text?: readonly (string | null)[];
}

export function flaggedTable<Row>(table: SectionTable<Row>): Block[] {
  const { name, columns, rows, flagsOf = () => [], flagGroup = '' } = table;
  const named = rows.map((row) => ({ label: name[1](row), flags: flagsOf(row) }));
  const notes = notesOf(table.noted ?? named);
  const all = [...columns, ...notes.column(flagGroup, flagsOf)];
  return [tableOf(name, all, rows), ...notes.blocks];
}

export function tableSection<Row>(heading: string, table: SectionTable<Row>): Section {
  return section(heading, [...flaggedTable(table), sentences(...(table.text ?? []))]);
}

/** The same; nothing without rows. */
export function sectionIfAny<Row>(heading: string, table: SectionTable<Row>): Section[] {
  return table.rows.length === 0 ? [] : [tableSection(heading, table)];
}

/** The same for cells of the run, with their names and flags unless `name` and `flagsOf` are given. */
export function cellSection<Row extends CellSummary>(
  heading: string,
  table: Omit<SectionTable<Row>, 'name'> & Partial<SectionTable<Row>>,
): Section {
  if (isUnreached(table.rows)) return unreachedSection(heading);
  const name = ['target', rowNames(table.rows)] as const;
  return tableSection(heading, { name, flagsOf: ({ flags }) => flags, ...table });
}

/** Whether the run ended before the first slice of any of these cells. */
export function isUnreached(cells: readonly CellSummary[]): boolean {
  return cells.every(({ state }) => state === 'not reached');
}

export function unreachedSection(heading: string): Section {
  return section(heading, ['Nothing was measured here.']);
}

const NAMES: Record<Aspect, string> = {
  throughput: 'requests/s',
  latency: 'latency',
  cpu: 'CPU',
  memory: 'memory',
};

export interface FlaggedRow {
  label: string;
  /** Of several with one code, the last counts. */
  flags: readonly Flag[];
}

const FLAGS_HEAD = 'flags';

function letterIn(codes: readonly Code[], code: Code): string {
  return String.fromCharCode(97 + codes.indexOf(code));
}

/** If more rows than this have a flag with different evidence, only one is given as an example. */
const MOST_REASONS = 3;

/** A letter for each code, and a footnote with its `evidence`, by default row by row. Without flags, no column. */
export function notesOf(
  noted: readonly FlaggedRow[],
  evidence = (code: Code) => everyRow(noted, code),
) {
  const codes = [...new Set(noted.flatMap(({ flags }) => flags.map(({ code }) => code)))];
  const notes = codes.map((code) => {
    const wrong = invalidates({ code }).map((aspect) => NAMES[aspect]);
    const invalid = wrong.length === 0 ? null : `invalid ${list(wrong)}`;
    return { letter: letterIn(codes, code), code, invalid, text: evidence(code) };
  });
  const blocks: Block[] = notes.length === 0 ? [] : [{ kind: 'footnotes', notes }];
  /** The column that points to the footnotes. */
  const column = <Row>(group: string, flagsOf: (row: Row) => readonly Flag[]): Column<Row>[] => {
    if (codes.length === 0) return [];
    const lettersOf = (row: Row) => flagsOf(row).map(({ code }) => letterIn(codes, code));
    return [words(group, FLAGS_HEAD, (row) => [...new Set(lettersOf(row))].join(' ') || null)];
  };
  return { blocks, column };
}

function everyRow(noted: readonly FlaggedRow[], code: Code): string {
  const seen = noted.flatMap(({ label, flags }) => {
    const flag = flags.findLast((each) => each.code === code);
    return flag === undefined ? [] : [{ label, evidence: evidenceText(flag) }];
  });
  const namesOf = (rows: typeof seen) => {
    const isAll = rows.length === noted.length && rows.length > 1;
    return isAll ? 'all' : rows.map(({ label }) => label).join(', ');
  };
  const byEvidence = [...Map.groupBy(seen, (each) => each.evidence)];
  const [example] = seen;
  if (byEvidence.length > MOST_REASONS && example !== undefined) {
    return `${namesOf(seen)}; for example ${example.label}: ${example.evidence}`;
  }
  return byEvidence.map(([evidence, rows]) => `${namesOf(rows)}: ${evidence}`).join('; ');
}

/** The flags that this section has footnotes for, in their order. */
export function notedIn({ blocks }: Section): Code[] {
  const notes = blocks.flatMap((block) => (block.kind === 'footnotes' ? block.notes : []));
  return notes.map(({ code }) => code);
}

/** With one line for each flag, below its first table. Only a flag that makes figures invalid keeps its evidence. */
export function brief(sections: readonly Section[]): Section[] {
  // A letter stands for the same flag everywhere.
  const codes: Code[] = [];
  return sections.map((section) => {
    const flags = notedIn(section);
    const fresh = flags.filter((code) => !codes.includes(code));
    codes.push(...fresh);
    const letters = new Map(flags.map((code) => [letterIn(flags, code), letterIn(codes, code)]));
    const blocks = section.blocks.flatMap((block): Block[] => {
      if (block.kind !== 'footnotes') return [relettered(block, letters)];
      const notes = block.notes.flatMap((note) => {
        const { code, invalid } = note;
        const letter = letterIn(codes, code);
        if (invalid !== null) return [{ ...note, letter }];
        return fresh.includes(code) ? [{ ...note, letter, text: FLAG_TEXTS[code].brief }] : [];
      });
      return notes.length === 0 ? [] : [{ ...block, notes }];
    });
    return { blocks };
  });
}

/** A table with other letters in the column of flags, in alphabetical order; any other block as it is. */
function relettered(block: Block, names: ReadonlyMap<string, string>): Block {
  if (block.kind !== 'table') return block;
  const place = block.columns.findIndex(({ head }) => head === FLAGS_HEAD);
  const rows = block.rows.map((row) => {
    const cell = row[place];
    if (typeof cell !== 'string') return row;
    const letters = cell.split(' ').map((letter) => names.get(letter) ?? letter);
    return row.with(place, letters.toSorted().join(' '));
  });
  return { ...block, rows };
}
