import { pointOf } from '../../math/statistics.ts';
import type { Verdict } from '../../math/verdicts.ts';
import type { Beside, BoardCauses } from '../../summary/board-causes.ts';
import { serverLabel } from '../../summary/board-names.ts';
import { ratioRange } from '../format.ts';

/**
 * Whether "Go's driver is slow", which was concluded from the published figures, holds by what was
 * measured; nothing where the published two were not.
 */
export function conclusionSentence({ asPublished, nPlusOne, oneQuery }: BoardCauses): string {
  if (asPublished === null) return '';
  const { target, other, comparison } = asPublished;
  const [go, bun] = [serverLabel(target), serverLabel(other)];
  const seen = `As published, a request to ${go} takes ${timesText(asPublished)} the CPU of one to ${bun}`;
  switch (comparison.verdict) {
    case "can't tell":
      return `${seen}: which of them is dearer can't be told here, and so not what makes it so.`;
    case 'same':
      return `${seen}: here the two cost the same, and there is nothing that a slow driver would explain.`;
    case 'faster':
      return `${seen}: here it is the cheaper one, and there is nothing that a slow driver would explain.`;
    case 'slower':
      return `${seen}. ${alikeSentence([
        { beside: nPlusOne, how: 'with five queries a post, none of them prepared' },
        { beside: oneQuery, how: 'with one query' },
      ])}`;
  }
}

/** The two asked in the same way. */
interface Alike {
  beside: Beside;
  how: string;
}

function alikeSentence(asked: { beside: Beside | null; how: string }[]): string {
  const alike = asked.flatMap(({ beside, how }): Alike[] =>
    beside === null ? [] : [{ beside, how }],
  );
  if (alike.length === 0) {
    return 'The two were not asked in the same way here, so what makes it so is not known.';
  }
  const seen = alike.map(({ beside, how }) => `${how} it takes ${timesText(beside)} as much`);
  return `Asked in the same way, ${seen.join(', and ')}. ${verdictSentence(alike)}`;
}

function verdictSentence(alike: readonly Alike[]): string {
  const verdicts = new Set<Verdict>(alike.map(({ beside }) => beside.comparison.verdict));
  if (verdicts.has("can't tell")) {
    return 'Some of that may be chance: whether the driver is slow is not settled by this run.';
  }
  if (!verdicts.has('slower')) {
    return (
      'So the conclusion that its driver is slow does not hold here: no dearer when it is asked in the same ' +
      'way, it is dear by how it was asked.'
    );
  }
  if (verdicts.size === 1) {
    return (
      'So the conclusion that its driver is slow may hold: however it is asked it is the dearer one, in its ' +
      'driver or in what it makes of the rows.'
    );
  }
  return (
    'So the conclusion that its driver is slow holds in part: it is the dearer one in one of these ways, ' +
    'and not in the other.'
  );
}

function timesText({ comparison: { ratio: times } }: Beside): string {
  return pointOf(times) === null ? 'an unknown number of times' : `${ratioRange(times)} times`;
}
