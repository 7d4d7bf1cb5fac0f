import type { Role } from '../../figures/services.ts';
import { type Estimate, pointOf } from '../../math/statistics.ts';
import type { Verdict } from '../../math/verdicts.ts';
import type { Decomposition } from '../../summary/decomposition.ts';
import type { ChangeCost, RoleCost } from '../../summary/role-costs.ts';
import { list, percent, signedPlusMinus } from '../format.ts';

/** What a decomposition shows, in plain words: the whole, what most of it is, and whether its parts come to it. */
export function decompositionSentences(
  decomposition: Decomposition,
  roles: readonly Role[],
): string[] {
  const { whole, sums } = decomposition;
  const parts = decomposition.parts.flatMap(({ change, inOrder, alone }): Part[] => {
    const cost = lastOf(inOrder ?? alone);
    return cost === null ? [] : [{ change, cost }];
  });
  const all = lastOf(whole);
  if (all === null) return [];
  const of = (verdict: Verdict) => {
    return parts.filter(({ cost }) => cost.comparison.verdict === verdict);
  };
  const untold = of("can't tell");
  return [
    wholeSentence(all, roles),
    ...dearSentence(parts, all),
    ...sentenceOf(of('faster'), 'saves CPU time instead', 'save CPU time instead'),
    ...sentenceOf(of('same'), `makes ${NOTHING}`, `make ${NOTHING}`),
    ...sentenceOf(untold.filter(mayBeNothing), "can't be told from nothing"),
    ...sentenceOf(
      untold.filter((part) => !mayBeNothing(part)),
      'is off 0, and has no verdict',
      'are off 0, and have no verdict',
    ),
    ...restSentence(
      sums.inOrder?.rest.at(-1),
      'In this order the changes',
      'the rest is in none of them',
    ),
    ...restSentence(sums.alone?.rest.at(-1), 'Each alone, the changes', 'they act on one another'),
  ];
}

/** A change and what it costs server and services together. */
interface Part {
  change: string;
  cost: RoleCost;
}

/** That of server and services together, or of the server where there are none. */
function lastOf(cost: ChangeCost | null): RoleCost | null {
  return cost?.costs.at(-1) ?? null;
}

function micro(estimate: Estimate): string {
  return `${signedPlusMinus(estimate, 1000)} µs`;
}

function wholeSentence(
  { comparison: { difference, verdict } }: RoleCost,
  roles: readonly Role[],
): string {
  const dearer = 'All of it makes a request take';
  const told: Record<Verdict, string> = {
    slower: dearer,
    faster: dearer,
    same: 'All of it makes no difference that matters to a request:',
    "can't tell": 'Whether all of it makes a request dearer is not known yet:',
  };
  const whose = roles.length === 1 ? 'of CPU' : 'of CPU, server and services together';
  return `${told[verdict]} ${micro(difference)} ${whose}.`;
}

/** The changes that were shown to cost something, the dearest first, with their shares of the whole. */
function dearSentence(parts: readonly Part[], whole: RoleCost): string[] {
  const costOf = ({ comparison }: RoleCost) => pointOf(comparison.difference) ?? 0;
  const all = costOf(whole);
  const dear = parts
    .filter(({ cost }) => cost.comparison.verdict === 'slower')
    .toSorted((a, b) => costOf(b.cost) - costOf(a.cost));
  if (dear.length === 0) return [];
  const isWhole = whole.comparison.verdict === 'slower' && all > 0;
  const told = dear.map(({ change, cost }) => {
    const share = isWhole ? `, ${percent(costOf(cost) / all)} of that` : '';
    return `"${change}" (${micro(cost.comparison.difference)}${share})`;
  });
  const [verb, most] = dear.length === 1 ? ['costs', ''] : ['cost', ', the dearest first'];
  return [`Of the changes ${list(told)} ${verb} CPU time${most}.`];
}

const NOTHING = 'no difference that matters';

/** Whether an interval holds 0; what has no verdict may have one that does not, of a server that had not settled. */
function mayBeNothing({ cost: { comparison } }: Part): boolean {
  const { difference } = comparison;
  return difference.kind !== 'interval' || (difference.low <= 0 && difference.high >= 0);
}

function sentenceOf(parts: readonly Part[], one: string, several = one): string[] {
  if (parts.length === 0) return [];
  const names = parts.map(({ change, cost }) => {
    return `"${change}" (${micro(cost.comparison.difference)})`;
  });
  return [`${list(names)} ${parts.length === 1 ? one : several}.`];
}

/** Whether parts come to the whole. */
function restSentence(rest: Estimate | undefined, who: string, why: string): string[] {
  if (rest?.kind !== 'interval') return [];
  return rest.low <= 0 && rest.high >= 0
    ? [`${who} come to the whole, within the interval of the rest.`]
    : [`${who} leave ${micro(rest)} of the whole over: ${why}.`];
}
