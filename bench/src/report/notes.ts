import { type Aspect, type Code, type Flag, invalidates } from '../validity/flags.ts';
import type { Footnote, Footnotes } from './document.ts';
import { evidenceText } from './flag-texts.ts';
import { list } from './format.ts';
import { type Column, words } from './tabulate.ts';

const NAMES: Record<Aspect, string> = {
  throughput: 'requests/s',
  latency: 'latency',
  cpu: 'CPU',
  memory: 'memory',
};

/** A row of a table, by its name, with the reasons not to trust it. */
export interface Noted {
  label: string;
  flags: readonly Flag[];
}

/** The head of the column that points to the footnotes. */
export const FLAGS_HEAD = 'flags';

/** Where more rows than this had a flag for reasons of their own, one of them is an example. */
const MOST_REASONS = 3;

/** The footnotes of one table: a letter for each code. */
export class Notes {
  readonly #noted: readonly Noted[];
  readonly #letters: Map<Code, string>;
  readonly #evidence: (code: Code) => string;

  /** `evidence` tells what was seen, and where; without it, that of every row. */
  constructor(noted: readonly Noted[], evidence?: (code: Code) => string) {
    this.#noted = noted;
    this.#evidence = evidence ?? ((code) => this.#everyRow(code));
    const codes = new Set(noted.flatMap(({ flags }) => flags.map(({ code }) => code)));
    this.#letters = new Map(
      [...codes].map((code, index) => [code, String.fromCharCode(97 + index)]),
    );
  }

  /** The flags that the footnotes are of. */
  get codes(): Code[] {
    return [...this.#letters.keys()];
  }

  /** The column that points to the footnotes, where there are any. */
  column<Row>(group: string, flagsOf: (row: Row) => readonly Flag[]): Column<Row>[] {
    if (this.#letters.size === 0) return [];
    const letters = (row: Row) => flagsOf(row).map(({ code }) => this.#letters.get(code));
    return [words(group, FLAGS_HEAD, (row) => letters(row).join(' ') || null)];
  }

  /** The footnotes, where there are any: of each code, what was seen, and of which rows. */
  blocks(): Footnotes[] {
    if (this.#letters.size === 0) return [];
    const notes = [...this.#letters].map(([code, letter]): Footnote => {
      const text = this.#evidence(code);
      return { letter, code, invalid: this.#invalid(code), tells: 'evidence', text };
    });
    return [{ kind: 'footnotes', notes }];
  }

  /** What a flag makes wrong, in words; nothing where it only says to be careful. */
  #invalid(code: Code): string | null {
    const flags = this.#noted.flatMap((each) => each.flags);
    const aspects = flags.find((flag) => flag.code === code);
    const wrong = aspects === undefined ? [] : invalidates(aspects);
    return wrong.length === 0 ? null : `invalid ${list(wrong.map((each) => NAMES[each]))}`;
  }

  #everyRow(code: Code): string {
    const seen = this.#noted.flatMap(({ label, flags }) => {
      return flags.filter((flag) => flag.code === code).map((flag) => ({ label, flag }));
    });
    const byEvidence = Map.groupBy(seen, ({ flag }) => evidenceText(flag));
    const isAll = seen.length === this.#noted.length && seen.length > 1;
    const namesOf = (rows: typeof seen) => {
      return isAll && rows.length === seen.length
        ? 'all'
        : rows.map(({ label }) => label).join(', ');
    };
    const [example] = seen;
    if (byEvidence.size > MOST_REASONS && example !== undefined) {
      return `${namesOf(seen)}; for example ${example.label}: ${evidenceText(example.flag)}`;
    }
    return [...byEvidence].map(([evidence, rows]) => `${namesOf(rows)}: ${evidence}`).join('; ');
  }
}

/** These flags without those of a code, which the section tells better by itself. */
export function without(told: Code, flags: readonly Flag[]): Flag[] {
  return flags.filter(({ code }) => code !== told);
}
