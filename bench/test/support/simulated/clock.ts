import type { Clock } from '../../../src/load/clock.ts';

interface Sleeper {
  atNs: number;
  wake: () => void;
}

const STARTED_MS = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

/** A clock that jumps to the end of the next sleep once all sleep: an hour takes milliseconds, and each run as long. */
export class SimulatedClock implements Clock {
  /** Called when a sleep ends, with its number from 1: where a test can interfere. */
  onWake: (count: number) => void = () => {};
  #nowNs = 0;
  #wakes = 0;
  readonly #sleepers = new Set<Sleeper>();
  #isRunning = false;

  now(): number {
    return this.#nowNs;
  }

  date(): Date {
    return new Date(STARTED_MS + this.#nowNs / 1e6);
  }

  async sleep(ns: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = () => reject(signal?.reason);
    const sleeper = { atNs: this.#nowNs + Math.max(0, ns), wake: resolve };
    signal?.addEventListener('abort', abort, { once: true });
    this.#sleepers.add(sleeper);
    this.#run();
    try {
      await promise;
    } finally {
      this.#sleepers.delete(sleeper);
      signal?.removeEventListener('abort', abort);
    }
  }

  #run(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    setImmediate(() => {
      this.#isRunning = false;
      const [next] = [...this.#sleepers].toSorted((a, b) => a.atNs - b.atNs);
      if (next === undefined) return;
      this.#sleepers.delete(next);
      this.#nowNs = Math.max(this.#nowNs, next.atNs);
      this.onWake(++this.#wakes);
      next.wake();
      this.#run();
    });
  }
}
