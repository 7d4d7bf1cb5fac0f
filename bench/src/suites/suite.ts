/** What a kind of run is, and what several of them share. */
import { wantsAnother } from '../figures/width.ts';
import { COST, type PilotResult, roundsOf } from '../plan/loads.ts';
import type { PlanRules } from '../plan/make-plan.ts';
import type { RunRecord } from '../record/record.ts';
import type { Section } from '../report/document.ts';
import type { Defaults } from '../request/amounts.ts';
import type { GivenOptions, RunKind, RunOptions } from '../request/run-options.ts';
import type { MeasuredTargets } from '../run/context.ts';
import type { Summary } from '../summary/summary.ts';
import { chooseTargets, type LocalTarget, type TargetSelection } from '../targets/targets.ts';
import type { Workload } from '../workload/declaration.ts';

export type Subjects = TargetSelection & MeasuredTargets;

export type Asked = { given: GivenOptions; packages: string; options: RunOptions };

/** A kind of run in one object: what it needs from every layer before this one. */
export interface Suite extends RunKind, PlanRules {
  /** The declaration of a workload; null for a kind of run that is code. */
  workload: Workload | null;
  /** What loads are derived from if there is no pilot. */
  known: PilotResult;
  /** Whether a run whose planned launches are over needs another one. */
  wantsAnother: typeof wantsAnother;
  /** The targets. @throws UserError for targets that do not exist or are not built. */
  subjects(asked: Asked): Subjects;
  /** The sections of its report; `details` adds every cell in detail. */
  show(summary: Summary, options: { details: boolean }): Section[];
  /** Whether it found what it was meant to find; otherwise the exit code is 1. */
  isFound(record: RunRecord): boolean;
}

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

/** Single processes under the cost load, or as much of it as they can take. */
export const SINGLE_COST = { topologies: ['single'], ...COST } satisfies Partial<Defaults>;

/** These targets, which have been built and have no clock of their own. */
export function built(targets: LocalTarget[]): TargetSelection {
  return { targets, leftOut: [], areBuilt: true };
}

/** The same for targets that are compared: in slices, or each cell unbroken, in their order, the usual way. */
export const COMPARING = {
  ...IN_SLICES,
  groupOrder: ({ contiguous }) => (contiguous ? 'listed' : 'drawn'),
} satisfies Partial<Suite>;

/** The targets of a folder that are named, or else those of a suite; they have no clock of their own. */
export function ofSuite(suite: string | null, { given, packages }: Asked): TargetSelection {
  const areForHere = given.serverHost === undefined;
  return chooseTargets(packages, given.targets ?? null, suite, areForHere);
}
