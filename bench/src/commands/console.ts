import { explain } from '../base/errors.ts';
import { wantsAnother } from '../figures/width.ts';
import type { RunRecord } from '../record/record.ts';
import { type Progress, startProgress } from '../report/progress.ts';
import type { MeasuredTargets, RunEvents } from '../run/context.ts';
import { run } from '../run/run.ts';
import { listenForInterrupts } from '../system/interrupt.ts';
import { CommandExit, type Io, type RunConsole } from './command.ts';

/** Starts to listen for Ctrl-C: the slice, or the start, that is under way is then the last one. */
export function startConsole(io: Io, last: 'slice' | 'start' = 'slice'): RunConsole {
  const sayPlainly = (text: string) => void io.stderr.write(`${text}\n`);
  let say: RunConsole['say'] = sayPlainly;
  const interrupts = listenForInterrupts(() => {
    say(`Ending after this ${last}; Ctrl-C again ends at once.`);
  }, io.signals);
  return {
    ...io,
    interrupts,
    say: (text) => say(text),
    follow: (plan, { targets }) => {
      const progress = startProgress(io.stderr, plan, targets);
      say = progress.say;
      const end = () => {
        progress.end();
        say = sayPlainly;
      };
      return { ...progress, end };
    },
    [Symbol.dispose]: () => interrupts[Symbol.dispose](),
  };
}

/** @throws CommandExit if a signal has come. */
export function endIfInterrupted({ interrupts }: Pick<RunConsole, 'interrupts'>): void {
  const exitCode = interrupts.exitCode();
  if (exitCode !== null) throw new CommandExit(exitCode);
}

/** Does this. @throws CommandExit in place of its own error if a signal has come. */
export async function unlessInterrupted<T>(
  runConsole: Pick<RunConsole, 'interrupts'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    endIfInterrupted(runConsole);
    throw error;
  }
}

interface Hooks extends Partial<Pick<RunEvents, 'onProfile' | 'wantsAnother'>> {
  onRound?(record: RunRecord, progress: Progress): Promise<void>;
}

/**
 * Executes a record's plan and fills in the record, with progress on the console. Returns whether the
 * harness got to the end; if not, it has said why.
 */
export async function executePlan(
  record: RunRecord,
  subjects: MeasuredTargets,
  { interrupts: { soon, now }, follow, backend }: RunConsole,
  { onRound = async () => {}, ...hooks }: Hooks = {},
): Promise<boolean> {
  const progress = follow(record.plan, subjects);
  const { say, launch: onLaunch, step: onStep } = progress;
  const events: RunEvents = {
    onProfile: async () => {},
    wantsAnother,
    ...hooks,
    ...{ soon, now, say, onLaunch, onStep },
    onRound: (round) => onRound(round, progress),
  };
  try {
    await run(record, subjects, events, backend);
    return true;
  } catch (error) {
    say(explain(error));
    return false;
  } finally {
    progress.end();
  }
}
