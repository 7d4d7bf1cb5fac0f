import type { RunRecord } from '../record/record.ts';
import type { Output } from '../report/terminal/look.ts';
import type { Asked, CommandSpec } from '../request/options.ts';
import type { RunCommand, RunRequest } from '../request/run-command.ts';
import type { RunKind } from '../request/run-options.ts';
import { type Backend, SYSTEM } from '../run/backend.ts';
import type { Suite } from '../suites/suite.ts';
import type { Signals } from '../system/interrupt.ts';

/** What a command is given of the world: where it writes, who can end it, what it measures on. */
export interface Io {
  stdout: Output;
  stderr: Output;
  /** Where Ctrl-C and other signals arrive. */
  signals: Signals;
  backend: Backend;
  /** Whether somebody else, on another machine, gets the records, and shows them. */
  isRelayed: boolean;
  /** Is given the record of a run as it begins, after each round, and at its end. */
  onRecord(record: RunRecord): void;
}

/** The streams and the signals of this process, and this machine. */
export const PROCESS_IO: Io = {
  stdout: process.stdout,
  stderr: process.stderr,
  signals: process,
  backend: SYSTEM,
  isRelayed: false,
  onRecord: () => {},
};

/** A kind of run that is carried out in a way of its own. */
export interface Kind extends RunKind {
  /** Measures, saves and prints, and returns the exit code. */
  perform(request: RunRequest, io: Io): Promise<number>;
}

/** A command that measures nothing. */
export interface OtherCommand extends CommandSpec {
  /** Does what is asked for, and returns the exit code. */
  perform(asked: Omit<Asked<unknown>, 'command'>, io: Io): Promise<number>;
}

export type BenchCommand = RunCommand<Kind | Suite> | OtherCommand;
