/** Plans whose progress is shown. */
import { makePlan } from '../../src/plan/make-plan.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { frameworksPlan } from '../../src/suites/frameworks-plan.ts';
import { makeMachine, makeOptions, STACK } from '../support/make-record.ts';

export const UNTIL = { share: 0.02, maxTimeNs: 3600e9 };
export const TARGETS = STACK.map((target) => ({ ...target, label: target.name.toUpperCase() }));

/** The plan of a run in two topologies. */
export function planOf(parts: Partial<RunOptions> = {}): Plan {
  const options = makeOptions({ topologies: ['single', 2], ...parts });
  return makePlan(frameworksPlan, options, TARGETS, makeMachine());
}
