/** Plans whose progress is shown. */
import type { Plan } from '../../src/plan/plan.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { planOf as planWith, STACK } from '../support/make-record.ts';

export const UNTIL = { share: 0.02, maxTimeNs: 3600e9 };
export const TARGETS = STACK.map((target) => ({ ...target, label: target.name.toUpperCase() }));

/** The plan of a run in two topologies. */
export function planOf(parts: Partial<RunOptions> = {}): Plan {
  return planWith({ topologies: ['single', 2], ...parts }, { targets: TARGETS });
}
