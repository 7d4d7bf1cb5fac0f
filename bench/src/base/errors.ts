/** How a command fails: errors for the user, and exit codes. */

/** An error that the user can correct. The command line prints it without a stack. */
export class UserError extends Error {
  override readonly name = 'UserError';
  /** What the user should do next, as a sentence. */
  readonly next: string;

  constructor(message: string, next: string, options?: ErrorOptions) {
    super(message, options);
    this.next = next;
  }
}

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** What `act` returns. @throws UserError if it fails, with this problem, the reason, and what to do next. */
export function orUserError<T>(problem: string, next: string, act: () => T): T {
  try {
    return act();
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    throw new UserError(`${problem}: ${messageOf(cause)}`, next, { cause });
  }
}

/** The `code` of a Node system error (`ENOENT`, `EADDRINUSE`, …); null for other errors. */
export function codeOf(thrown: unknown): string | null {
  if (!(thrown instanceof Error) || !('code' in thrown)) return null;
  return typeof thrown.code === 'string' ? thrown.code : null;
}

/** An error as shown to the user; an unexpected one with its stack. */
export function explain(error: unknown): string {
  if (error instanceof UserError) return `error: ${error.message}\n${error.next}`;
  const stack = error instanceof Error && error.stack ? error.stack : messageOf(error);
  return `error: ${stack}\nThis is a defect of overhead; please report it with these lines.`;
}

/** Measuring failed, or the results can't be trusted. */
export const FAILED = 1;
/** Invalid input, found before anything was measured. */
export const INVALID = 2;
/** Slower by at least the limit of `--fail-on`. */
export const SLOWER = 3;
/** As the shell reports a process that was ended by SIGHUP. */
export const HUNG_UP = 129;
