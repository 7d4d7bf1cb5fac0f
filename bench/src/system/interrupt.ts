import type { EventEmitter } from 'node:events';

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

/** Where signals arrive: this process, unless a test says otherwise. */
export type Signals = Pick<EventEmitter, 'on' | 'off'>;

/** Listens for signals until it is disposed of; `onFirst` is told of the first Ctrl-C. */
export function listenForInterrupts(onFirst: () => void, signals: Signals = process): Interrupts {
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
  signals.on('SIGINT', onInterrupt);
  signals.on('SIGTERM', stopNow);
  signals.on('SIGHUP', stopNow);
  return {
    soon: soon.signal,
    now: now.signal,
    exitCode: () => code,
    [Symbol.dispose]: () => {
      signals.off('SIGINT', onInterrupt);
      signals.off('SIGTERM', stopNow);
      signals.off('SIGHUP', stopNow);
    },
  };
}
