import { setTimeout as sleep } from 'node:timers/promises';

export interface Clock {
  /** A monotonic clock, ns. */
  now(): number;
  date(): Date;
  /** Waits for this many ns. @throws the signal's reason when it is aborted before. */
  sleep(ns: number, signal?: AbortSignal): Promise<void>;
}

export const SYSTEM_CLOCK: Clock = {
  now,
  date: () => new Date(),
  sleep: (ns, signal) => sleep(Math.ceil(ns / 1e6), undefined, { signal }),
};

/** The monotonic clock, ns, which all processes of a machine share. */
export function now(): number {
  return Number(process.hrtime.bigint());
}

/** Waits until this instant, or until the signal is aborted. */
export async function until(atNs: number, signal: AbortSignal): Promise<void> {
  // A timer counts from the start of its turn of the event loop, so it may fire early by the length of a turn.
  for (let leftNs = atNs - now(); leftNs > 0 && !signal.aborted; leftNs = atNs - now()) {
    await sleep(Math.ceil(leftNs / 1e6), undefined, { signal }).catch(() => {});
  }
}

/** Waits until this event, and returns its result; null if this instant or the signal comes first. */
export async function untilFirst<T>(atNs: number, event: Promise<T>, signal: AbortSignal) {
  const happened = new AbortController();
  const waiting = until(atNs, AbortSignal.any([signal, happened.signal]));
  const result = await Promise.race([event, waiting.then(() => null)]);
  happened.abort();
  return result;
}
