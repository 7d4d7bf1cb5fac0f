/** What kinds of run share. */
import { wantsAnother } from '../figures/width.ts';
import { roundsOf } from '../plan/loads.ts';
import type { Defaults } from '../request/amounts.ts';
import { PLAIN_KIND } from '../request/run-options.ts';
import { type MeasuredTargets, noTimer } from '../run/measured-targets.ts';
import { chooseTargets, type LocalTarget, type TargetSelection } from '../targets/targets.ts';
import type { Suite } from './suite.ts';

/** What is usual, and what is else with --quick and with --as-published. */
export function usually(
  full: Defaults,
  quick: Partial<Defaults>,
  published: Partial<Defaults> = {},
): Suite['defaults'] {
  return (given) => ({ ...full, ...(given.quick ? quick : given.asPublished ? published : {}) });
}

/** What kinds of run share that measure in slices and need no pilot. */
export const IN_SLICES = {
  workload: null,
  ...PLAIN_KIND,
  pilot: () => null,
  known: { kind: 'none' },
  rounds: roundsOf,
  groupOrder: () => 'drawn',
  isFound: () => true,
  wantsAnother,
} satisfies Partial<Suite>;

/** Connections and pipelining where servers that the command line names can take as many. */
export const NAMED_LOAD = { connections: 100, pipelining: 10 };

/** All of these targets, which have been built and tell nothing of themselves. */
export function built(targets: LocalTarget[]): TargetSelection & MeasuredTargets {
  return { targets, leftOut: [], areBuilt: true, probes: [], readTimer: noTimer };
}

/** How targets side by side are planned: in slices, or each cell unbroken, in order, the usual way. */
export const COMPARING = {
  ...IN_SLICES,
  groupOrder: ({ contiguous }) => (contiguous ? 'listed' : 'drawn'),
} satisfies Partial<Suite>;

/** The targets of a folder that tell nothing of themselves: those that are named, or else those of a suite. */
export function ofSuite(
  suite: string | null,
  { given, packages }: Parameters<Suite['subjects']>[0],
): TargetSelection & MeasuredTargets {
  const chosen = chooseTargets(
    packages,
    given.targets ?? null,
    suite,
    given.serverHost === undefined,
  );
  return { ...chosen, probes: [], readTimer: noTimer };
}
