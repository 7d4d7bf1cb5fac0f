import type { EventEmitter } from 'node:events';
import { constants } from 'node:os';

/** How the outside ends a run: soon, or now. */
export interface Interrupts extends Disposable {
  /** Aborted by the first Ctrl-C, and whenever `now` is. */
  readonly soon: AbortSignal;
  /** Aborted by the second Ctrl-C, SIGTERM or SIGHUP. */
  readonly now: AbortSignal;
  /** The exit code for the first signal (128 + its number); null if none came. */
  exitCode(): number | null;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export type Signals = Pick<EventEmitter, 'on' | 'off'>;

/** Listens for signals until disposed of. Calls `onFirst` at the first Ctrl-C. */
export function listenForInterrupts(onFirst: () => void, signals: Signals = process): Interrupts {
  const soon = new AbortController();
  const now = new AbortController();
  let code: number | null = null;
  const listener = (name: (typeof SIGNALS)[number]) => {
    const isFirst = !soon.signal.aborted;
    code ??= 128 + constants.signals[name];
    soon.abort();
    if (isFirst && name === 'SIGINT') onFirst();
    else now.abort();
  };
  for (const name of SIGNALS) signals.on(name, listener);
  return {
    soon: soon.signal,
    now: now.signal,
    exitCode: () => code,
    [Symbol.dispose]: () => {
      for (const name of SIGNALS) signals.off(name, listener);
    },
  };
}
