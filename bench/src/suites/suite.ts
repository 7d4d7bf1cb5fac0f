import type { PilotResult } from '../plan/loads.ts';
import type { PlanRules } from '../plan/make-plan.ts';
import type { RunRecord } from '../record/record.ts';
import type { Section } from '../report/document.ts';
import type { GivenOptions, RunKind, RunOptions } from '../request/run-options.ts';
import type { RunEvents } from '../run/context.ts';
import type { MeasuredTargets } from '../run/measured-targets.ts';
import type { Summary } from '../summary/summary.ts';
import type { TargetSelection } from '../targets/targets.ts';
import type { Workload } from '../workload/declaration.ts';

/** A kind of run, in one object: what it asks of every layer before it. */
export interface Suite extends RunKind, PlanRules {
  /** The declaration that it follows; null for a kind of run that is code. */
  workload: Workload | null;
  /** What loads are derived from where no pilot has to find it out. */
  known: PilotResult;
  /** Whether a run whose planned launches are over is to have another one. */
  wantsAnother: RunEvents['wantsAnother'];
  /** Who is measured. @throws UserError for targets that are not there, or not built. */
  subjects(asked: {
    given: GivenOptions;
    packages: string;
    options: RunOptions;
  }): TargetSelection & MeasuredTargets;
  /** What is shown of what was measured; `details` shows every cell once more. */
  show(summary: Summary, options: { details: boolean }): Section[];
  /** Whether it found what it has to find; a run that did not ends with an exit code of its own. */
  isFound(record: RunRecord): boolean;
}
