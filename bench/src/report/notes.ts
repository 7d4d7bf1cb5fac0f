import type { Aspect } from '../figures/figures.ts';
import { type Code, type Flag, invalidates } from '../validity/flags.ts';
import type { Block, Footnote } from './document.ts';
import { evidenceText } from './flag-texts.ts';
import { list } from './format.ts';
import { type Column, words } from './tabulate.ts';

const NAMES: Record<Aspect, string> = {
  throughput: 'requests/s',
  latency: 'latency',
  cpu: 'CPU',
  memory: 'memory',
};

/** A row of a table, with its name and its flags. */
export interface Noted {
  label: string;
  flags: readonly Flag[];
}

/** The head of the column that points to the footnotes. */
export const FLAGS_HEAD = 'flags';

/** The letter of the flag at this place, from 0. */
export function letterAt(place: number): string {
  return String.fromCharCode(97 + place);
}

/** If more rows than this have a flag with different evidence, only one is given as an example. */
const MOST_REASONS = 3;

/** The footnotes of a table: one letter for each code. */
export class Notes {
  /** The flags in the footnotes. */
  readonly codes: Code[];
  readonly #noted: readonly Noted[];
  readonly #evidence: (code: Code) => string;

  /** `evidence` says what was seen and where; without it, that is said of every row. */
  constructor(noted: readonly Noted[], evidence?: (code: Code) => string) {
    this.#noted = noted;
    this.#evidence = evidence ?? ((code) => this.#everyRow(code));
    this.codes = [...new Set(noted.flatMap(({ flags }) => flags.map(({ code }) => code)))];
  }

  /** The column that points to the footnotes, if there are any. */
  column<Row>(group: string, flagsOf: (row: Row) => readonly Flag[]): Column<Row>[] {
    if (this.codes.length === 0) return [];
    const letters = (row: Row) => flagsOf(row).map(({ code }) => this.#letterOf(code));
    return [words(group, FLAGS_HEAD, (row) => letters(row).join(' ') || null)];
  }

  /** The footnotes, if there are any: for each code what was seen, and in which rows. */
  blocks(): Block[] {
    const notes = this.codes.map((code): Footnote => {
      const wrong = invalidates({ code }).map((aspect) => NAMES[aspect]);
      const invalid = wrong.length === 0 ? null : `invalid ${list(wrong)}`;
      return { letter: this.#letterOf(code), code, invalid, text: this.#evidence(code) };
    });
    return notes.length === 0 ? [] : [{ kind: 'footnotes', notes }];
  }

  #letterOf(code: Code): string {
    return letterAt(this.codes.indexOf(code));
  }

  #everyRow(code: Code): string {
    const seen = this.#noted.flatMap(({ label, flags }) => {
      const own = flags.filter((flag) => flag.code === code);
      return own.map((flag) => ({ label, evidence: evidenceText(flag) }));
    });
    const isAll = seen.length === this.#noted.length && seen.length > 1;
    const namesOf = (rows: typeof seen) => {
      const isEach = isAll && rows.length === seen.length;
      return isEach ? 'all' : rows.map(({ label }) => label).join(', ');
    };
    const byEvidence = [...Map.groupBy(seen, ({ evidence }) => evidence)];
    const [example] = seen;
    if (byEvidence.length > MOST_REASONS && example !== undefined) {
      return `${namesOf(seen)}; for example ${example.label}: ${example.evidence}`;
    }
    return byEvidence.map(([evidence, rows]) => `${namesOf(rows)}: ${evidence}`).join('; ');
  }
}

/** The flags of other codes than this one, which the section explains itself. */
export function without(code: Code, flags: readonly Flag[]): Flag[] {
  return flags.filter((flag) => flag.code !== code);
}
