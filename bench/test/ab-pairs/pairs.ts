/** Pairs of servers with a known difference in CPU per request, and a summary of what was measured. */
import { z } from 'zod';
import type { Verdict } from '../../src/math/verdicts.ts';

export type Framework = 'express' | 'fastify' | 'nest';

/** Two servers; the order of their measurements follows from the seed. */
export interface Pair {
  id: string;
  framework: Framework;
  /** How much more CPU a request takes in the second, as a share; with 0 only comments differ. */
  more: number;
  seed: number;
  maxTimeS: number;
}

const FRAMEWORKS = ['express', 'fastify', 'nest'] as const;
/** Chosen before the first measurement. */
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

export const PAIRS: readonly Pair[] = [
  ...group('three', 12, 0.03, 300, 20),
  ...group('same', 20, 0, 600, 0),
  ...group('half', 6, 0.015, 600, 32),
];

const outcomeSchema = z.object({
  verdict: z.enum(['faster', 'slower', 'same', "can't tell"]),
  launches: z.int(),
  wallS: z.number(),
  cpuModel: z.string(),
  /** The measured difference, as a share. */
  found: z.number().nullable(),
  /** Requests/s the usual way: each server once, one after the other. */
  usual: z.object({ first: z.number(), second: z.number() }),
});
export type Outcome = z.infer<typeof outcomeSchema>;
/** Those of the pairs that were measured, by their ids. */
export const outcomesSchema = z.record(z.string(), outcomeSchema);

/** The usual way: a server is slower if it has fewer requests/s by more than this. */
const USUAL_THRESHOLD = 0.05;

/** The verdict of the usual way, which is never "can't tell". */
function usualVerdict({ usual: { first, second } }: Outcome): Verdict {
  if (second < first * (1 - USUAL_THRESHOLD)) return 'slower';
  return second > first * (1 + USUAL_THRESHOLD) ? 'faster' : 'same';
}

/** A line for each kind of pair: how often either way came to each verdict. */
export function tally(outcomes: Readonly<Record<string, Outcome>>): string[] {
  const kinds = Map.groupBy(PAIRS, ({ more }) => more);
  return [...kinds].map(([more, pairs]) => {
    const known = pairs.flatMap(({ id }) => outcomes[id] ?? []);
    const counts = (verdicts: readonly Verdict[]) => {
      const all = Map.groupBy(verdicts, (verdict) => verdict);
      return [...all].map(([verdict, those]) => `${those.length} ${verdict}`).join(', ');
    };
    const done = `+${more * 100} %: ${known.length} of ${pairs.length}`;
    if (known.length === 0) return done;
    const ours = counts(known.map(({ verdict }) => verdict));
    return `${done}; ab: ${ours}; the usual way: ${counts(known.map(usualVerdict))}`;
  });
}
