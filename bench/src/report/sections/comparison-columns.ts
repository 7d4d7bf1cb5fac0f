import type { Comparison } from '../../math/verdicts.ts';
import { ratioRange, signedPlusMinus } from '../format.ts';
import { amount, type Column, words } from '../tabulate.ts';

/** How to make columns about what the rows of a table have over something else. */
export interface ComparisonColumns<Row> {
  /** How much more it is, in µs. */
  more: (head: string) => Column<Row>;
  /** How many times it is. */
  times: (head: string) => Column<Row>;
  verdict: (head?: string) => Column<Row>;
}

/** Columns for rows of which some hold such a comparison. */
export function comparisonColumns<Row>(
  group: string,
  of: (row: Row) => Comparison | null | undefined,
): ComparisonColumns<Row> {
  return {
    more: (head) => amount(group, head, (row) => signedPlusMinus(of(row)?.difference, 1000)),
    times: (head) => amount(group, head, (row) => ratioRange(of(row)?.ratio)),
    verdict: (head = 'verdict') => words(group, head, (row) => of(row)?.verdict),
  };
}
