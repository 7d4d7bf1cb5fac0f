import { relative } from 'node:path';
import { explain } from '../base/errors.ts';
import { FAILED, WRONG } from '../base/exit-codes.ts';
import { requireDriver } from '../load/drivers.ts';
import { makePlan, type Plan } from '../plan/plan.ts';
import { newRecord, saveRecord } from '../record/record.ts';
import { renderInterim } from '../report/interim.ts';
import { lookOf } from '../report/look.ts';
import { type Progress, startProgress } from '../report/progress.ts';
import type { RunOptions } from '../request/run-options.ts';
import { listenForInterrupts } from '../system/interrupt.ts';
import { describeMachine } from '../system/machine.ts';
import { carryOut, ENDING, type Subjects } from './carry-out.ts';
import { flyPilot } from './pilot.ts';
import { recordPath } from './record-path.ts';
import { printRecord } from './report.ts';

/** Measures, saves and prints the record, and returns the exit code. */
export async function measureCommand(options: RunOptions, subjects: Subjects): Promise<number> {
  requireDriver(options.driver);
  const { targets, probes: probing } = subjects;
  const startedAt = new Date();
  const machine = await describeMachine(targets.map(({ directory }) => directory));
  const labels = new Map(targets.map(({ name, label }) => [name, label]));
  let say: Progress['say'] = (text) => process.stderr.write(`${text}\n`);
  using interrupts = listenForInterrupts(() => say(ENDING));
  const follow = (plan: Plan) => {
    const progress = startProgress(process.stderr, plan, labels);
    say = progress.say;
    return progress;
  };

  const pilot = await flyPilot(options, subjects, machine, { interrupts, follow });
  if (pilot.state === 'failed') {
    printRecord(pilot.record, options);
    return interrupts.exitCode() ?? WRONG;
  }
  const plan = makePlan(options, targets, machine, { probing, basis: pilot.basis });
  const record = newRecord({ machine, targets, plan }, startedAt);
  const path = recordPath(options.out, startedAt, options.suite);
  await saveRecord(path, record);

  const progress = follow(plan);
  // What was measured before the harness could not go on is still worth saving and showing.
  let broken = !(await carryOut(record, subjects, {
    progress,
    interrupts,
    onRound: async (round) => {
      progress.table(renderInterim(round, lookOf(process.stderr)));
      await saveRecord(path, round);
    },
  }));
  let saved = `Saved as ${relative(process.cwd(), path)}`;
  try {
    await saveRecord(path, record);
  } catch (error) {
    broken = true;
    saved = explain(error);
  }
  const deserved = printRecord(record, options);
  process.stderr.write(`${saved}\n`);
  const interrupted = interrupts.exitCode();
  if (interrupted !== null) return interrupted;
  if (broken || record.failures.length > 0) return record.slices.length > 0 ? FAILED : WRONG;
  return deserved;
}
