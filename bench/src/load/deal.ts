import { messageOf } from '../base/errors.ts';
import { now, until } from './clock.ts';
import { type ClosedLoop, closedLoop } from './closed-loop.ts';
import { drain } from './drain.ts';
import { addUsed, type Edge, readEdge, readMemoryOf, type Used, usedBetween } from './edge.ts';
import type { ClosedOrder, Deal, Outcome } from './protocol.ts';

/**
 * Carries out orders together: opens the connections of all, and deals their windows in pieces, in
 * turn. While one order's load is on, those of all others rest, and a piece begins and ends with an
 * idle server. One that can't go on leaves the deal; the others do not notice.
 */
export async function carryOutDeal(
  { orders, laps }: Deal,
  stopped: AbortSignal,
): Promise<Outcome[]> {
  await using stack = new AsyncDisposableStack();
  const hands: Hand[] = [];
  for (const order of orders) {
    const hand = stack.use(await Hand.take(order, stopped));
    hands.push(hand);
    await hand.try(() => hand.prepare());
  }
  for (const index of laps.flat()) {
    const hand = hands[index];
    await hand?.try(() => hand.play(hand.order.window.ns / laps.length));
  }
  for (const hand of hands) await hand.try(() => hand.count());
  await stack.disposeAsync();
  return await Promise.all(hands.map((hand) => hand.outcome()));
}

/** One order of a deal. */
class Hand implements AsyncDisposable {
  readonly order: ClosedOrder;
  readonly #loop: ClosedLoop;
  readonly #stopped: AbortSignal;
  readonly #startedNs = now();
  #isOut = false;
  #used: Used | null = null;
  #drainNs = 0;
  #drainCapped = false;
  #warmupNs = 0;
  #outcome: Outcome = { kind: 'stopped' };

  private constructor(order: ClosedOrder, loop: ClosedLoop, stopped: AbortSignal) {
    this.order = order;
    this.#loop = loop;
    this.#stopped = stopped;
  }

  static async take(order: ClosedOrder, stopped: AbortSignal): Promise<Hand> {
    return new Hand(order, await closedLoop(order), stopped);
  }

  get #over(): AbortSignal {
    return AbortSignal.any([this.#stopped, this.#loop.broken]);
  }

  /** Acts unless it is out of the deal; what goes wrong is its outcome, and it is out. */
  async try(act: () => Promise<void>): Promise<void> {
    if (this.#isOut) return;
    try {
      await act();
      if (this.#over.aborted) {
        this.#leave(
          this.#stopped.aborted ? { kind: 'stopped' } : { kind: await this.#loop.whyBroken() },
        );
      }
    } catch (error) {
      this.#leave({ kind: 'failed', message: messageOf(error) });
    }
    if (this.#isOut) await this.#loop.stop(this.#over);
  }

  async prepare(): Promise<void> {
    await this.#loop.begin(async () => {}, this.#over);
    await this.#rest();
    this.#warmupNs = now() - this.#startedNs;
    this.#loop.openWindow(now());
  }

  /** Puts the load on for as long as lets the server be idle again after about so many ns. */
  async play(pieceNs: number): Promise<void> {
    if (this.#drainCapped) return;
    const opened = await this.#edge();
    this.#loop.resume();
    await until(opened.atNs + pieceNs - this.#drainNs, this.#over);
    await this.#rest();
    const used = usedBetween(opened, await this.#edge());
    this.#used = this.#used === null ? used : addUsed(this.#used, used);
  }

  async count(): Promise<void> {
    this.#loop.closeWindow(now());
    const memory = await readMemoryOf(this.order.pids);
    if (this.#used === null) throw new Error('a deal without pieces');
    this.#leave({
      kind: 'measured',
      measurement: {
        warmupNs: this.#warmupNs,
        ...this.#used,
        halfway: null,
        generators: 1,
        drainNs: this.#drainNs,
        drainCapped: this.#drainCapped,
        memory,
        series: [],
        ...this.#loop.counted(),
      },
    });
  }

  /** What became of it, once its server is idle after the deal. */
  async outcome(): Promise<Outcome> {
    if (this.#outcome.kind === 'measured') await drain(this.order).catch(() => {});
    return this.#outcome;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#loop[Symbol.asyncDispose]();
  }

  async #rest(): Promise<void> {
    const startNs = now();
    const isIdle = await this.#loop.pause(startNs + this.order.drainCapNs, this.#over);
    this.#drainNs = now() - startNs;
    this.#drainCapped = !isIdle;
  }

  #edge(): Promise<Edge> {
    return readEdge(now(), this.order.pids, []);
  }

  #leave(outcome: Outcome): void {
    this.#outcome = outcome;
    this.#isOut = true;
  }
}
