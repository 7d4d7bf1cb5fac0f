import { basisOf } from '../figures/basis.ts';
import type { PilotResult } from '../plan/loads.ts';
import { makePilotPlan } from '../plan/make-plan.ts';
import { newRecord, type RunRecord } from '../record/record.ts';
import type { RunOptions } from '../request/run-options.ts';
import type { MeasuredTargets } from '../run/measured-targets.ts';
import type { Suite } from '../suites/suite.ts';
import type { Machine } from '../system/machine.ts';
import { carryOut, type RunConsole } from './carry-out.ts';

/** What a pilot came to. */
export type Pilot =
  | { state: 'known'; basis: PilotResult }
  /** Nothing could be measured, or the run was ended; why, the record and the progress say. */
  | { state: 'failed'; record: RunRecord };

/** Finds out what the loads of a run are derived from, by a short run of its own where it takes one. */
export async function runPilot(
  suite: Suite,
  options: RunOptions,
  subjects: MeasuredTargets,
  machine: Machine,
  runConsole: RunConsole,
): Promise<Pilot> {
  const { targets } = subjects;
  const plan = makePilotPlan(suite, options, targets, machine);
  if (plan === null) return { state: 'known', basis: suite.known };
  const record = newRecord(
    { suite: suite.name, workload: suite.workload, machine, targets, plan },
    runConsole.backend.clock.date(),
  );
  runConsole.say('a pilot, which the loads are derived from');
  const ran = await carryOut(record, { ...subjects, probes: [] }, runConsole);
  const basis = basisOf(record);
  if (!ran || record.state !== 'complete' || basis === null) return { state: 'failed', record };
  return { state: 'known', basis };
}
