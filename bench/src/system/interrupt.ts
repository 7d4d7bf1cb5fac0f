import type { EventEmitter } from 'node:events';

/** How the outside can end a run: soon, or now. */
export type Interrupts = ReturnType<typeof listenForInterrupts>;

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Where signals arrive: this process, unless a test says otherwise. */
export type Signals = Pick<EventEmitter, 'on' | 'off'>;

/** Listens for signals until it is disposed of; calls `onFirst` at the first Ctrl-C. */
export function listenForInterrupts(onFirst: () => void, signals: Signals = process) {
  const soon = new AbortController();
  const now = new AbortController();
  let code: number | null = null;
  const listener = (name: (typeof SIGNALS)[number]) => {
    const isFirst = !soon.signal.aborted;
    code ??= EXIT_CODES[name];
    soon.abort();
    if (isFirst && name === 'SIGINT') onFirst();
    else now.abort();
  };
  for (const name of SIGNALS) signals.on(name, listener);
  return {
    /** Aborted by the first Ctrl-C, and whenever `now` is. */
    soon: soon.signal,
    /** Aborted by the second Ctrl-C, SIGTERM or SIGHUP. */
    now: now.signal,
    /** The exit code that the first signal asks for (128 + its number), or null when none came. */
    exitCode: () => code,
    [Symbol.dispose]: () => {
      for (const name of SIGNALS) signals.off(name, listener);
    },
  };
}
