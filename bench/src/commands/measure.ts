import { join, relative } from 'node:path';
import { explain } from '../errors.ts';
import { FAILED, WRONG } from '../exit-codes.ts';
import { listenForInterrupts } from '../interrupt.ts';
import type { RunningServer } from '../launch/server.ts';
import { describeMachine } from '../machine.ts';
import type { RunOptions } from '../options.ts';
import { makePlan } from '../plan.ts';
import { startProgress } from '../progress.ts';
import { type HandlerTime, newRecord, saveRecord } from '../record.ts';
import { renderInterim } from '../report/interim.ts';
import { lookOf } from '../report/look.ts';
import { run } from '../run.ts';
import type { LocalTarget } from '../targets.ts';
import { printRecord } from './report.ts';

const RESULTS = join(import.meta.dirname, '../../../results');

/** Who is measured, and what is asked of a server after its slice. */
export interface Subjects {
  targets: LocalTarget[];
  /** Measured once in each launch, for no table. */
  probes: LocalTarget[];
  /** What the server's own clock says of its handler, if it has one. */
  readTimer: (server: RunningServer) => Promise<HandlerTime | null>;
}

/** Measures, saves and prints the record, and returns the exit code. */
export async function measureCommand(
  options: RunOptions,
  { targets, probes, readTimer }: Subjects,
): Promise<number> {
  const startedAt = new Date();
  const machine = await describeMachine(targets);
  const plan = makePlan(options, targets, machine, probes);
  const record = newRecord({ machine, targets, plan }, startedAt);
  const path = options.out ?? join(RESULTS, recordName(startedAt, options.suite));
  await saveRecord(path, record);

  const labels = new Map(targets.map(({ name, label }) => [name, label]));
  const progress = startProgress(process.stderr, plan, labels);
  using interrupts = listenForInterrupts(() => {
    progress.say('Ending after this slice; Ctrl-C again ends at once.');
  });
  let broken = false;
  try {
    await run(record, [...targets, ...probes], {
      onLaunch: (launch, group) => progress.launch(launch, group),
      onCell: (cell, purpose) => progress.cell(cell, purpose),
      onFailure: ({ server, message }) => progress.say(`${server} failed: ${message}`),
      onGenerators: ({ topology, load }, count) => {
        const limit = `${topology}, ${load}: the generator was the limit`;
        progress.say(`${limit}: ${count} generator processes from here on`);
      },
      readTimer,
      onRound: async (round) => {
        progress.table(renderInterim(round, lookOf(process.stderr)));
        await saveRecord(path, round);
      },
      soon: interrupts.soon,
      now: interrupts.now,
    });
  } catch (error) {
    // What was measured before is still worth saving and showing.
    broken = true;
    progress.say(explain(error));
  }
  progress.end();
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

function recordName(startedAt: Date, suite: string): string {
  return `${startedAt.toISOString().slice(0, 19).replaceAll(':', '-')}-${suite}.json`;
}
