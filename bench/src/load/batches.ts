import { messageOf } from '../base/errors.ts';
import { untilFirst } from './clock.ts';
import { closedLoop } from './closed-loop.ts';
import { drain } from './drain.ts';
import { snapshotWith } from './loop.ts';
import { answersOf } from './measurement.ts';
import { RequestCursors } from './mix.ts';
import type { BatchOutcome, BatchWindow, LastingOrder } from './protocol.ts';
import { READ_HERE, type Readings } from './readings.ts';
import { usedBetween } from './snapshot.ts';

/** A load that goes on, with its connections open, while windows of it are measured. */
export class Batches {
  readonly #order: LastingOrder;
  readonly #cursors: RequestCursors;
  readonly #stopped: AbortSignal;
  readonly #readings: Readings;
  #begun: Begun | null = null;

  /** Nothing is sent before the first window. */
  constructor(
    order: LastingOrder,
    stopped: AbortSignal,
    cursors = new RequestCursors(),
    readings: Readings = READ_HERE,
  ) {
    this.#order = order;
    this.#stopped = stopped;
    this.#cursors = cursors;
    this.#readings = readings;
  }

  /** Measures the next window. What comes between two is no part of either. */
  async take({ ns, answers }: BatchWindow): Promise<BatchOutcome> {
    try {
      this.#begun ??= await this.#begin();
      const { loop, over } = this.#begun;
      const opened = await snapshotWith(this.#order, loop, this.#readings, (atNs) => {
        return { answered: loop.answered(), fromNs: loop.openWindow(atNs) };
      });
      const { answered, fromNs } = opened.told;
      await untilFirst(fromNs + ns, loop.untilAnswered(answered + (answers ?? Infinity)), over);
      if (over.aborted) {
        return { kind: this.#stopped.aborted ? 'stopped' : await loop.whyBroken() };
      }
      const closed = await snapshotWith(this.#order, loop, this.#readings, (atNs) => {
        loop.closeWindow(atNs);
      });
      loop.resume();
      const { windowNs, cpu } = usedBetween(opened.snapshot, closed.snapshot);
      const { memory } = await this.#readings.memories(this.#order.pids, {});
      const came = answersOf(loop.counted().window);
      const { cpuNs } = cpu.server;
      return { kind: 'batch', batch: { answers: came, ns: windowNs, cpuNs, bytes: memory.server } };
    } catch (error) {
      return { kind: 'failed', message: messageOf(error) };
    }
  }

  /** Ends the load, and waits until the server has become idle. */
  async end(): Promise<void> {
    if (this.#begun === null) return;
    const { loop, over } = this.#begun;
    await loop.stop(over);
    await loop[Symbol.asyncDispose]();
    // A server that is gone has nothing left to do; who measures it next says so.
    await drain(this.#order, this.#readings).catch(() => {});
  }

  async #begin(): Promise<Begun> {
    const loop = await closedLoop(this.#order, this.#cursors);
    const over = AbortSignal.any([this.#stopped, loop.broken]);
    await loop.begin(async () => {}, over);
    return { loop, over };
  }
}

interface Begun {
  loop: Awaited<ReturnType<typeof closedLoop>>;
  over: AbortSignal;
}
