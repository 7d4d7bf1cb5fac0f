import type { Request } from '../request/options.ts';
import type { RunKind } from '../request/run-options.ts';
import type { Io } from './io.ts';

/** What the command line asks of a kind of run. */
export type RunRequest = Omit<Extract<Request<RunKind>, { command: 'run' }>, 'command' | 'kind'>;

/** A kind of run that can be carried out. */
export interface Kind extends RunKind {
  /** Measures, saves and prints, and returns the exit code. */
  perform(request: RunRequest, io: Io): Promise<number>;
}
