import { basisOf } from '../figures/basis.ts';
import type { Basis } from '../plan/loads.ts';
import { makePilotPlan, type Plan } from '../plan/plan.ts';
import { newRecord, type RunRecord } from '../record/record.ts';
import type { Progress } from '../report/progress.ts';
import type { RunOptions } from '../request/run-options.ts';
import type { Interrupts } from '../system/interrupt.ts';
import type { Machine } from '../system/machine.ts';
import { carryOut, type Subjects } from './carry-out.ts';

/** What a pilot came to. */
export type Pilot =
  | { state: 'known'; basis: Basis }
  /** Nothing could be measured, or the run was ended; why, the record and the progress say. */
  | { state: 'failed'; record: RunRecord };

/** Finds out what the loads of a run are derived from, by a short run of its own where it takes one. */
export async function flyPilot(
  options: RunOptions,
  subjects: Subjects,
  machine: Machine,
  { interrupts, follow }: { interrupts: Interrupts; follow: (plan: Plan) => Progress },
): Promise<Pilot> {
  const { targets } = subjects;
  const plan = makePilotPlan(options, targets, machine);
  if (plan === null) return { state: 'known', basis: { kind: 'none' } };
  const record = newRecord({ machine, targets, plan }, new Date());
  const progress = follow(plan);
  progress.say('a pilot, which the loads are derived from');
  const audience = { progress, interrupts, onRound: async () => {} };
  const ran = await carryOut(record, { ...subjects, probes: [] }, audience);
  const basis = basisOf(record);
  if (!ran || record.state !== 'complete' || basis === null) return { state: 'failed', record };
  return { state: 'known', basis };
}
