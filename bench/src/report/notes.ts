import { type Code, type Flag, severityOf } from '../validity.ts';
import { evidenceText, FLAG_TEXTS } from './flag-texts.ts';
import { NONE } from './format.ts';
import type { Column, Look } from './table.ts';
import { wrap } from './wrap.ts';

/** A row of a table, by its name, with the reasons not to trust it. */
export interface Noted {
  label: string;
  flags: readonly Flag[];
}

/** The footnotes of one table: a letter for each code. */
export class Notes {
  readonly #noted: readonly Noted[];
  readonly #letters: Map<Code, string>;

  constructor(noted: readonly Noted[]) {
    this.#noted = noted;
    const codes = new Set(noted.flatMap(({ flags }) => flags.map(({ code }) => code)));
    this.#letters = new Map(
      [...codes].map((code, index) => [code, String.fromCharCode(97 + index)]),
    );
  }

  /** The column that points to the footnotes, where there are any. */
  column<Row>(group: string, flagsOf: (row: Row) => readonly Flag[]): Column<Row>[] {
    if (this.#letters.size === 0) return [];
    const letters = (row: Row) => flagsOf(row).map(({ code }) => this.#letters.get(code));
    return [{ group, head: 'flags', text: true, cell: (row) => letters(row).join(' ') || NONE }];
  }

  /** The footnotes: of each code, what was seen, and of which rows. */
  text(look: Look): string {
    return [...this.#letters]
      .map(([code, letter]) => wrap(`${letter} ${this.#footnote(code)}`, look.width))
      .map((note) => look.dim(note))
      .join('\n');
  }

  #footnote(code: Code): string {
    const seen = this.#noted.flatMap(({ label, flags }) => {
      return flags.filter((flag) => flag.code === code).map((flag) => ({ label, flag }));
    });
    const byEvidence = Map.groupBy(seen, ({ flag }) => evidenceText(flag));
    const parts = [...byEvidence].map(([evidence, rows]) => {
      const all = rows.length === this.#noted.length && rows.length > 1;
      return `${all ? 'all' : rows.map(({ label }) => label).join(', ')}: ${evidence}`;
    });
    const invalid = seen.some(({ flag }) => severityOf(flag) === 'invalid') ? ' (invalid)' : '';
    return `${code}${invalid} ${parts.join('; ')}.`;
  }
}

/** What the codes mean that a report shows, and what to do; empty where it shows none. */
export function legend(codes: ReadonlySet<Code>, look: Look): string {
  if (codes.size === 0) return '';
  const entries = [...codes].toSorted().map((code) => {
    const { means, todo } = FLAG_TEXTS[code];
    return wrap(`${code}: ${means} ${todo}`, look.width);
  });
  return [look.bold('What the flags mean'), ...entries].join('\n');
}
