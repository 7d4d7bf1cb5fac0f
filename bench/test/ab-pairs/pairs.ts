/** Pairs of servers of which it is known how much more the second costs, and what is made of how they came out. */
import type { Verdict } from '../../src/math/verdicts.ts';

export type Framework = 'express' | 'fastify' | 'nest';

/** Two servers that are compared; their order, and that of what is measured, follow from the seed. */
export interface Pair {
  id: string;
  framework: Framework;
  /** How much more CPU a request of the second takes, as a share; with 0 its comments differ. */
  more: number;
  seed: number;
  maxTimeS: number;
}

const FRAMEWORKS = ['express', 'fastify', 'nest'] as const;
/** Fixed before the first was measured. */
const FIRST_SEED = 9101;

function group(name: string, count: number, more: number, maxTimeS: number, from: number): Pair[] {
  return Array.from({ length: count }, (_, place) => ({
    id: `${name}-${String(place + 1).padStart(2, '0')}`,
    framework: FRAMEWORKS[place % FRAMEWORKS.length] ?? 'express',
    more,
    seed: FIRST_SEED + from + place,
    maxTimeS,
  }));
}

/** All pairs, in the order in which they are measured. */
export const PAIRS: readonly Pair[] = [
  ...group('same', 20, 0, 600, 0),
  ...group('three', 12, 0.03, 300, 20),
  ...group('half', 6, 0.015, 600, 32),
];

/** What became of a pair. */
export interface Outcome {
  verdict: Verdict;
  launches: number;
  wallS: number;
  /** The difference that was found, as a share. */
  found: number | null;
  /** Requests/s of both the usual way: one after the other, each once. */
  usual: { first: number; second: number };
}

/** Slower the usual way: fewer requests/s by more than this. */
const USUAL_THRESHOLD = 0.05;

/** What the usual way says of a pair, which is never that it can't tell. */
export function usualVerdict({ usual: { first, second } }: Outcome): Verdict {
  if (second < first * (1 - USUAL_THRESHOLD)) return 'slower';
  return second > first * (1 + USUAL_THRESHOLD) ? 'faster' : 'same';
}

/** A line for each kind of pair: how often each way said what, and how often that was wrong. */
export function tally(outcomes: ReadonlyMap<string, Outcome>): string[] {
  const kinds = Map.groupBy(PAIRS, ({ more }) => more);
  return [...kinds].map(([more, pairs]) => {
    const known = pairs.flatMap(({ id }) => outcomes.get(id) ?? []);
    const counts = (verdicts: readonly Verdict[]) => {
      const all = Map.groupBy(verdicts, (verdict) => verdict);
      return [...all].map(([verdict, those]) => `${those.length} ${verdict}`).join(', ');
    };
    const ours = counts(known.map(({ verdict }) => verdict));
    const usual = counts(known.map(usualVerdict));
    const done = `${known.length} of ${pairs.length}`;
    return `+${more * 100} %: ${done}; ab: ${ours}; the usual way: ${usual}`;
  });
}
