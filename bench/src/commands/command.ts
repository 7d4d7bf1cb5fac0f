import { explain } from '../base/errors.ts';
import type { Plan } from '../plan/plan.ts';
import type { RunRecord } from '../record/record.ts';
import { type Progress, startProgress } from '../report/progress.ts';
import type { Output } from '../report/terminal/look.ts';
import type { CommandLine, CommandSpec } from '../request/command-line.ts';
import type { GivenOptions, RunOptions } from '../request/run-options.ts';
import type { Backend } from '../run/backend.ts';
import type { MeasuredTargets, RunEvents } from '../run/context.ts';
import { run } from '../run/run.ts';
import type { Suite } from '../suites/suite.ts';
import { listenForInterrupts, type Signals } from '../system/interrupt.ts';

/** A command's connection to the world: where it writes, what can end it, and what it measures on. */
export interface Io {
  stdout: Output;
  stderr: Output;
  signals: Signals;
  backend: Backend;
  /** Whether another machine receives the records and shows them. */
  isRelayed?: true;
  /** Called with the record of a run at its start, after each round, and at its end. */
  onRecord?(record: RunRecord): void;
}

export interface RunRequest extends Omit<CommandLine, 'refuse'> {
  kind: Suite;
  argv: readonly string[];
  options: RunOptions;
  packages: string;
  /** The words that ask for the same again. */
  again: string[];
}

/** A command line that is being executed: what it asks for, and its connection to the world. */
export interface Invocation extends RunRequest, RunConsole {
  /** The run that it continues; null if it begins one. */
  saved: RunRecord | null;
}

/** A command that measures. */
export interface RunCommand extends CommandSpec {
  /** The default of `--packages`, where that is not `packages/`. */
  packages?: string;
  kindOf(given: GivenOptions): Suite;
  /** Runs in a way of its own, and returns the exit code. @throws CommandExit before anything was measured. */
  perform?(command: Invocation): Promise<number>;
}

export interface OtherCommand extends CommandSpec {
  /** Does what is asked for, and returns the exit code. */
  perform(asked: CommandLine, io: Io): Promise<number>;
}

export type BenchCommand = RunCommand | OtherCommand;

/** Thrown to end a command with an exit code once everything has been said. */
export class CommandExit extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`exit code ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** Starts to listen for Ctrl-C: the slice, or the start, that is under way is then the last one. */
export function startConsole(io: Io, last: 'slice' | 'start' = 'slice') {
  const sayPlainly = (text: string) => void io.stderr.write(`${text}\n`);
  let say: (text: string) => void = sayPlainly;
  const interrupts = listenForInterrupts(() => {
    say(`Ending after this ${last}; Ctrl-C again ends at once.`);
  }, io.signals);
  return {
    ...io,
    interrupts,
    /** Prints a line that stays, above the progress of a run if one is under way. */
    say: (text: string) => say(text),
    /** Shows the progress of a run from here on. */
    follow: (plan: Plan, { targets }: MeasuredTargets): Progress => {
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

/** The same for a command that shows its progress and that a first Ctrl-C ends gracefully. */
export type RunConsole = ReturnType<typeof startConsole>;

/** @throws CommandExit if a signal has come. */
export function endIfInterrupted({ interrupts }: RunConsole): void {
  const exitCode = interrupts.exitCode();
  if (exitCode !== null) throw new CommandExit(exitCode);
}

/** Does this. @throws CommandExit in place of its own error if a signal has come. */
export async function unlessInterrupted<T>(runConsole: RunConsole, work: () => Promise<T>) {
  try {
    return await work();
  } catch (error) {
    endIfInterrupted(runConsole);
    throw error;
  }
}

interface Hooks extends Pick<RunEvents, 'onProfile' | 'wantsAnother'> {
  onRound?(progress: Progress): Promise<void>;
}

/** Carries out a record's plan and fills the record in. Returns whether it got to the end; if not, it has said why. */
export async function executePlan(
  record: RunRecord,
  subjects: MeasuredTargets,
  { interrupts: { soon, now }, follow, backend }: RunConsole,
  { onRound, ...hooks }: Hooks = {},
): Promise<boolean> {
  const progress = follow(record.plan, subjects);
  const endRound = async () => await onRound?.(progress);
  const events: RunEvents = { ...hooks, ...progress, soon, now, onRound: endRound };
  try {
    await run(record, subjects, events, backend);
    return true;
  } catch (error) {
    progress.say(explain(error));
    return false;
  } finally {
    progress.end();
  }
}
