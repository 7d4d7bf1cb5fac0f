import type { Plan } from '../plan/plan.ts';
import type { RunRecord } from '../record/record.ts';
import type { Progress } from '../report/progress.ts';
import type { Output } from '../report/terminal/look.ts';
import type { CommandLine, CommandSpec } from '../request/options.ts';
import type { GivenOptions, RunOptions } from '../request/run-options.ts';
import type { Backend } from '../run/backend.ts';
import type { MeasuredTargets } from '../run/context.ts';
import type { Suite } from '../suites/suite.ts';
import type { Interrupts, Signals } from '../system/interrupt.ts';

/** A command's connection to the world: where it writes, what can end it, and what it measures on. */
export interface Io {
  stdout: Output;
  stderr: Output;
  /** Where Ctrl-C and other signals arrive. */
  signals: Signals;
  backend: Backend;
  /** Whether another machine receives the records and shows them. */
  isRelayed?: true;
  /** Called with the record of a run at its start, after each round, and at its end. */
  onRecord?(record: RunRecord): void;
}

/** The same for a command that shows its progress and that a first Ctrl-C ends gracefully. */
export interface RunConsole extends Io, Disposable {
  interrupts: Interrupts;
  /** Prints a line that stays, above the progress of a run if one is under way. */
  say(text: string): void;
  /** Shows the progress of a run from here on. */
  follow(plan: Plan, subjects: MeasuredTargets): Progress;
}

/** What the command line asks of a run. */
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

/** Thrown to end a command with an exit code once everything has been said. */
export class CommandExit extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`exit code ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** A command that measures. */
export interface RunCommand extends CommandSpec {
  /** The default of `--packages`, where that is not `packages/`. */
  packages?: string;
  kindOf(given: GivenOptions): Suite;
  /**
   * Measures, saves and prints, and returns the exit code, where the kind of run alone does not say how.
   * @throws CommandExit before anything was measured.
   */
  perform?(command: Invocation): Promise<number>;
}

/** A command that measures nothing. */
export interface OtherCommand extends CommandSpec {
  /** Does what is asked for, and returns the exit code. */
  perform(asked: CommandLine, io: Io): Promise<number>;
}

export type BenchCommand = RunCommand | OtherCommand;
