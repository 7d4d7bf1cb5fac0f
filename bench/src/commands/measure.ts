import { relative } from 'node:path';
import { explain } from '../errors.ts';
import { FAILED, WRONG } from '../exit-codes.ts';
import { listenForInterrupts } from '../interrupt.ts';
import { describeMachine } from '../machine.ts';
import type { RunOptions } from '../options.ts';
import { makePlan } from '../plan.ts';
import { startProgress } from '../progress.ts';
import { newRecord, saveRecord } from '../record.ts';
import { renderInterim } from '../report/interim.ts';
import { lookOf } from '../report/look.ts';
import { carryOut, ENDING, type Subjects } from './carry-out.ts';
import { recordPath } from './record-path.ts';
import { printRecord } from './report.ts';

/** Measures, saves and prints the record, and returns the exit code. */
export async function measureCommand(options: RunOptions, subjects: Subjects): Promise<number> {
  const { targets, probes } = subjects;
  const startedAt = new Date();
  const machine = await describeMachine(targets);
  const plan = makePlan(options, targets, machine, probes);
  const record = newRecord({ machine, targets, plan }, startedAt);
  const path = recordPath(options.out, startedAt, options.suite);
  await saveRecord(path, record);

  const labels = new Map(targets.map(({ name, label }) => [name, label]));
  const progress = startProgress(process.stderr, plan, labels);
  using interrupts = listenForInterrupts(() => progress.say(ENDING));
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
