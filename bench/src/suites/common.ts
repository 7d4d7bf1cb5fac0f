/** What suites share. */
import { wantsAnother } from '../figures/width.ts';
import { roundsOf } from '../plan/loads.ts';
import type { Defaults } from '../request/amounts.ts';
import { type MeasuredTargets, noTimer } from '../run/context.ts';
import { chooseTargets, type LocalTarget, type TargetSelection } from '../targets/targets.ts';
import type { Suite } from './suite.ts';

/** The defaults, and what differs with --quick and with --as-published. */
export function usually(
  full: Defaults,
  quick: Partial<Defaults>,
  published: Partial<Defaults> = {},
): Suite['defaults'] {
  return (given) => ({ ...full, ...(given.quick ? quick : given.asPublished ? published : {}) });
}

/** The common part of suites that measure in slices and need no pilot. */
export const IN_SLICES = {
  workload: null,
  pilot: () => null,
  known: { kind: 'none' },
  rounds: roundsOf,
  groupOrder: () => 'drawn',
  isFound: () => true,
  wantsAnother,
} satisfies Partial<Suite>;

type Concurrency = Pick<Defaults, 'connections' | 'pipelining'>;

/** Whether as many requests are under way in both. */
export function isSameConcurrency(one: Concurrency, { connections, pipelining }: Concurrency) {
  return one.connections === connections && one.pipelining === pipelining;
}

/** Connections and pipelining of servers that the command line names, if they can take that. */
export const NAMED_LOAD = { connections: 100, pipelining: 10 };

/** These targets, which have been built and have no clock of their own. */
export function built(targets: LocalTarget[]): TargetSelection & MeasuredTargets {
  return { targets, leftOut: [], areBuilt: true, probes: [], readTimer: noTimer };
}

/** The same for targets that are compared: in slices, or each cell unbroken, in their order, the usual way. */
export const COMPARING = {
  ...IN_SLICES,
  groupOrder: ({ contiguous }) => (contiguous ? 'listed' : 'drawn'),
} satisfies Partial<Suite>;

/** The targets of a folder that are named, or else those of a suite; they have no clock of their own. */
export function ofSuite(
  suite: string | null,
  { given, packages }: Parameters<Suite['subjects']>[0],
): TargetSelection & MeasuredTargets {
  const areForHere = given.serverHost === undefined;
  const chosen = chooseTargets(packages, given.targets ?? null, suite, areForHere);
  return { ...chosen, probes: [], readTimer: noTimer };
}
