import type { CellSummary } from '../summary/conditions.ts';
import { type Code, type Flag, severityOf } from '../validity/flags.ts';
import { evidenceText, FLAG_TEXTS } from './flag-texts.ts';
import { NONE } from './format.ts';
import type { Column, Look } from './table.ts';
import { wrap } from './wrap.ts';

/** A row of a table, by its name, with the reasons not to trust it. */
export interface Noted {
  label: string;
  flags: readonly Flag[];
}

/** What a table says better by itself: who had no answer, and how well a service time is known. */
const TOLD: Record<string, Code> = { overload: 'CENSORED', alone: 'INCONCLUSIVE' };

/** The flags of a cell that have something to say beside its table. */
export function flagsBeside({ cell, flags }: CellSummary): Flag[] {
  return flags.filter(({ code }) => code !== TOLD[cell.load]);
}

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
    const flags = this.#noted.flatMap((each) => each.flags);
    const isInvalid = flags.some((flag) => flag.code === code && severityOf(flag) === 'invalid');
    return `${code}${isInvalid ? ' (invalid)' : ''} ${this.#evidence(code)}.`;
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

/** What the codes mean that a report shows, and what to do; empty where it shows none. */
export function legend(codes: ReadonlySet<Code>, look: Look): string {
  if (codes.size === 0) return '';
  const entries = [...codes].toSorted().map((code) => {
    const { means, todo } = FLAG_TEXTS[code];
    return wrap(`${code}: ${means} ${todo}`, look.width);
  });
  return [look.bold('What the flags mean'), ...entries].join('\n');
}
