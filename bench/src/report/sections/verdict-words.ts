import { pointOf } from '../../math/statistics.ts';
import type { Comparison, Verdict } from '../../math/verdicts.ts';
import { list, signedPercent } from '../format.ts';

/** A verdict on CPU time, in words. */
const CPU_WORDS: Record<Verdict, string> = {
  slower: 'more CPU',
  faster: 'less CPU',
  same: 'the same CPU',
  "can't tell": "can't tell",
};

/**
 * `more CPU with A (+6.2 %) and B (+9.1 %); the same CPU with C (+0.2 %)`: rows grouped by verdict; null where none could
 * be compared.
 */
export function cpuByVerdict<Row extends { comparison: Comparison | null }>(
  rows: readonly Row[],
  preposition: string,
  nameOf: (row: Row) => string,
): string | null {
  const compared = rows.flatMap((row) => {
    const { comparison } = row;
    const ratio = comparison && pointOf(comparison.ratio);
    if (comparison === null || ratio === null) return [];
    const name = `${nameOf(row)} (${signedPercent(ratio - 1)})`;
    return [{ name, verdict: comparison.verdict }];
  });
  const parts = [...Map.groupBy(compared, ({ verdict }) => verdict)].map(([verdict, those]) => {
    return `${CPU_WORDS[verdict]} ${preposition} ${list(those.map(({ name }) => name))}`;
  });
  return parts.length === 0 ? null : parts.join('; ');
}
