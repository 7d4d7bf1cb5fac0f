/** How the outside can end a run: soon, or now. */
export interface Interrupts extends Disposable {
  /** Aborted by the first Ctrl-C, and whenever `now` is. */
  readonly soon: AbortSignal;
  /** Aborted by the second Ctrl-C, SIGTERM or SIGHUP. */
  readonly now: AbortSignal;
  /** The exit code that the signal asks for (128 + its number), or null when none came. */
  exitCode(): number | null;
}

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Listens for signals until it is disposed of; `onFirst` is told of the first Ctrl-C. */
export function listenForInterrupts(onFirst: () => void): Interrupts {
  const soon = new AbortController();
  const now = new AbortController();
  let code: number | null = null;

  const stopNow = (signal: keyof typeof EXIT_CODES) => {
    code ??= EXIT_CODES[signal];
    soon.abort();
    now.abort();
  };
  const onInterrupt = () => {
    if (soon.signal.aborted) {
      stopNow('SIGINT');
      return;
    }
    code = EXIT_CODES.SIGINT;
    soon.abort();
    onFirst();
  };
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', stopNow);
  process.on('SIGHUP', stopNow);
  return {
    soon: soon.signal,
    now: now.signal,
    exitCode: () => code,
    [Symbol.dispose]: () => {
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', stopNow);
      process.off('SIGHUP', stopNow);
    },
  };
}
