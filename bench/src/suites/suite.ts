import type { PilotResult } from '../plan/loads.ts';
import type { PlanRules } from '../plan/make-plan.ts';
import type { RunRecord } from '../record/record.ts';
import type { Section } from '../report/document.ts';
import type { GivenOptions, RunKind, RunOptions } from '../request/run-options.ts';
import type { MeasuredTargets, RunEvents } from '../run/context.ts';
import type { Summary } from '../summary/summary.ts';
import type { TargetSelection } from '../targets/targets.ts';
import type { Workload } from '../workload/declaration.ts';

/** A kind of run in one object: what it needs from every layer before this one. */
export interface Suite extends RunKind, PlanRules {
  /** The declaration of a workload; null for a kind of run that is code. */
  workload: Workload | null;
  /** What loads are derived from if there is no pilot. */
  known: PilotResult;
  /** Whether a run whose planned launches are over needs another one. */
  wantsAnother: RunEvents['wantsAnother'];
  /** The targets. @throws UserError for targets that do not exist or are not built. */
  subjects(asked: {
    given: GivenOptions;
    packages: string;
    options: RunOptions;
  }): TargetSelection & MeasuredTargets;
  /** The sections of its report; `details` adds every cell in detail. */
  show(summary: Summary, options: { details: boolean }): Section[];
  /** Whether it found what it was meant to find; otherwise the exit code is 1. */
  isFound(record: RunRecord): boolean;
}
