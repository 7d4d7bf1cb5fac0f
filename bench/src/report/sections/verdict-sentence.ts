import type { Verdict } from '../../math/verdicts.ts';
import { list } from '../format.ts';

/** Something that was compared, as it is named in a sentence. */
export interface Compared {
  what: string;
  verdict: Verdict;
}

/** `costs more under A and B; it costs as much under C`: what is to be said of each verdict, and of whom. */
export function verdictParts(
  compared: readonly Compared[],
  saying: Readonly<Record<Verdict, string>>,
): string {
  return [...Map.groupBy(compared, ({ verdict }) => verdict)]
    .map(([verdict, those]) => `${saying[verdict]} ${list(those.map(({ what }) => what))}`)
    .join('; it ');
}
