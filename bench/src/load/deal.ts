import { messageOf } from '../base/errors.ts';
import { now, until } from './clock.ts';
import { type ClosedLoop, closedLoop } from './closed-loop.ts';
import { drain } from './drain.ts';
import {
  addUsed,
  type Edge,
  readEdge,
  readMemoryOf,
  readPeakOf,
  type Used,
  usedBetween,
} from './edge.ts';
import type { Piece } from './measurement.ts';
import { Walks } from './mix.ts';
import type { ClosedOrder, Deal, DealtOutcome } from './protocol.ts';
import { withMemory } from './services.ts';

/**
 * Carries out orders together: opens the connections of all, and deals their windows in pieces, in
 * turn. While one order's load is on, all others rest, and a piece begins and ends with an idle
 * server, so that no work leaks from one into another. An order that can't go on leaves the deal
 * without the others noticing.
 */
export async function carryOutDeal(
  { orders, laps }: Deal,
  stopped: AbortSignal,
  walks = new Walks(),
): Promise<DealtOutcome[]> {
  await using stack = new AsyncDisposableStack();
  const hands: Hand[] = [];
  for (const order of orders) {
    const hand = stack.use(new Hand(order, await closedLoop(order, walks), stopped));
    hands.push(hand);
    await hand.act(() => hand.open());
  }
  for (const hand of laps.flat().map((place) => hands[place])) {
    await hand?.act(() => hand.play(hand.order.window.ns / laps.length));
  }
  for (const hand of hands) await hand.act(() => hand.end());
  // All connections are closed before anybody waits for a server to be idle.
  await stack.disposeAsync();
  return await Promise.all(hands.map((hand) => hand.outcome()));
}

/** One order of a deal. */
class Hand implements AsyncDisposable {
  readonly order: ClosedOrder;
  readonly #loop: ClosedLoop;
  readonly #stopped: AbortSignal;
  /** Nothing more can come of it. */
  readonly #over: AbortSignal;
  readonly #startedNs = now();
  #warmupNs = 0;
  #used: Used | null = null;
  readonly #pieces: Piece[] = [];
  /** How long the server took the last time to become idle. */
  #drainNs = 0;
  #outcome: DealtOutcome | null = null;

  constructor(order: ClosedOrder, loop: ClosedLoop, stopped: AbortSignal) {
    this.order = order;
    this.#loop = loop;
    this.#stopped = stopped;
    this.#over = AbortSignal.any([stopped, loop.broken]);
    // Its clients would try to connect again and again while others are under load.
    loop.broken.addEventListener('abort', () => loop.stop(this.#over), { once: true });
  }

  /** Acts as long as it is in the deal; what ends it is its outcome. */
  async act(act: () => Promise<void>): Promise<void> {
    if (this.#outcome !== null) return;
    try {
      if (!this.#over.aborted) await act();
      if (this.#over.aborted) this.#outcome = { kind: await this.#whyOver() };
    } catch (error) {
      this.#outcome = { kind: 'failed', message: messageOf(error) };
    }
    if (this.#outcome !== null) await this.#loop.stop(this.#over);
  }

  /** Opens the connections, and lets them rest. */
  async open(): Promise<void> {
    await this.#loop.begin(async () => {}, this.#over);
    await this.#rest();
    this.#warmupNs = now() - this.#startedNs;
    this.#loop.openWindow(now());
  }

  /**
   * Has the load on for so long that the server is idle again after about so many ns, and for as long as it
   * takes to send whole rounds where those are asked for.
   */
  async play(pieceNs: number): Promise<void> {
    const { wholeRounds, drainCapNs } = this.order;
    const opened = await this.#edge();
    const answeredBefore = this.#loop.answered();
    this.#loop.resume();
    await until(opened.atNs + pieceNs - this.#drainNs, this.#over);
    if (wholeRounds) await this.#loop.untilWhole(now() + drainCapNs, this.#over);
    await this.#rest();
    const used = usedBetween(opened, await this.#edge());
    this.#used = this.#used === null ? used : addUsed(this.#used, used);
    const answers = this.#loop.answered() - answeredBefore;
    this.#pieces.push({ cpuNs: used.cpu.server.cpuNs, answers });
  }

  /** Ends the load, and says what was counted. */
  async end(): Promise<void> {
    if (this.#used === null) throw new Error('a deal without pieces');
    this.#loop.closeWindow(now());
    const memory = await readMemoryOf(this.order.pids);
    const peak = readPeakOf(this.order.pids);
    const services = await withMemory(this.#used.services, this.order.pids.services);
    this.#outcome = {
      kind: 'measured',
      measurement: {
        warmupNs: this.#warmupNs,
        ...this.#used,
        pieces: this.#pieces,
        services,
        halfway: null,
        generators: 1,
        drainNs: this.#drainNs,
        drainCapped: false,
        memory,
        peak,
        series: [],
        ...this.#loop.counted(),
      },
    };
  }

  /** What became of it, once its server has let go of the connections. */
  async outcome(): Promise<DealtOutcome> {
    if (this.#outcome === null) throw new Error('a deal that is not over');
    const { kind } = this.#outcome;
    if (kind !== 'measured' && kind !== 'restless') return this.#outcome;
    try {
      await drain(this.order);
      return this.#outcome;
    } catch (error) {
      // One of its processes is gone by now.
      return { kind: 'failed', message: messageOf(error) };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#loop[Symbol.asyncDispose]();
  }

  async #rest(): Promise<void> {
    const startNs = now();
    const isIdle = await this.#loop.pause(startNs + this.order.drainCapNs, this.#over);
    this.#drainNs = now() - startNs;
    if (!isIdle) this.#outcome = { kind: 'restless' };
  }

  #edge(): Promise<Edge> {
    return readEdge(now(), this.order, []);
  }

  async #whyOver(): Promise<'stopped' | 'refused'> {
    return this.#stopped.aborted ? 'stopped' : await this.#loop.whyBroken();
  }
}
