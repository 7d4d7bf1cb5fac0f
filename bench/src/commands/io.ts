import type { Output } from '../report/terminal/look.ts';
import { type Backend, SYSTEM } from '../run/backend.ts';
import type { Signals } from '../system/interrupt.ts';

/** What a command is given of the world: where it writes, who can end it, what it measures on. */
export interface Io {
  stdout: Output;
  stderr: Output;
  /** Where Ctrl-C and other signals arrive. */
  signals: Signals;
  backend: Backend;
}

/** The streams and the signals of this process, and this machine. */
export const PROCESS_IO: Io = {
  stdout: process.stdout,
  stderr: process.stderr,
  signals: process,
  backend: SYSTEM,
};
