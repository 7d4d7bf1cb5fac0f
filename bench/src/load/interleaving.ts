import { messageOf } from '../base/errors.ts';
import { now, until } from './clock.ts';
import { type ClosedLoop, closedLoop } from './closed-loop.ts';
import { drain } from './drain.ts';
import { measurementOf } from './loop.ts';
import type { Block } from './measurement.ts';
import { RequestCursors } from './mix.ts';
import type { ClosedOrder, InterleavedOutcome, Interleaving } from './protocol.ts';
import { untilQuiet } from './quiet.ts';
import { READ_HERE, type Readings } from './readings.ts';
import { answersIn, isSteady, type Turn } from './settling.ts';
import { addUsed, type CounterSnapshot, takeSnapshot, type Used, usedBetween } from './snapshot.ts';

/**
 * Carries out orders together, as a randomized block design: opens the connections of all, and gives each a turn
 * in every block. While one order's load is on, all others rest, and a turn begins and ends with a server that has
 * answered everything. What a server does later is its own too: its counters run on from one of its turns to the
 * next, and after the last until it is quiet. The first blocks are not counted: they go on until each server has
 * settled on these connections. An order that can't go on leaves without the others noticing.
 */
export async function carryOutInterleaving(
  { orders, blocks, leadIn }: Interleaving,
  stopped: AbortSignal,
  cursors = new RequestCursors(),
  readings: Readings = READ_HERE,
): Promise<InterleavedOutcome[]> {
  await using stack = new AsyncDisposableStack();
  const loads: InterleavedLoad[] = [];
  for (const order of orders) {
    const loop = await closedLoop(order, cursors);
    const load = stack.use(new InterleavedLoad(order, loop, stopped, readings));
    loads.push(load);
    await load.act(() => load.open());
  }
  const play = async (block: number[]) => {
    for (const load of block.map((place) => loads[place])) {
      await load?.act(() => load.play(load.order.window.ns / blocks.length));
    }
  };
  for (const block of leadIn.blocks) {
    if (loads.every((load) => load.hasSettled(leadIn))) break;
    await play(block);
  }
  for (const load of loads) load.startCounting(leadIn);
  for (const block of blocks) await play(block);
  await Promise.all(loads.map((load) => load.act(() => load.end())));
  // All connections are closed before anybody waits for a server to be idle.
  await stack.disposeAsync();
  return await Promise.all(loads.map((load) => load.outcome()));
}

/** A turn, as it was. */
interface PlayedTurn extends Turn {
  opened: CounterSnapshot;
  used: Used;
}

/** One order of an interleaving. */
class InterleavedLoad implements AsyncDisposable {
  readonly order: ClosedOrder;
  readonly #loop: ClosedLoop;
  readonly #stopped: AbortSignal;
  /** Nothing more can come of it. */
  readonly #over: AbortSignal;
  readonly #readings: Readings;
  readonly #startedNs = now();
  #turns: PlayedTurn[] = [];
  /** What came before the turns that count; null until they do. */
  #leadIn: { turns: PlayedTurn[]; hasSettled: boolean | null } | null = null;
  /** How long the server took the last time to become idle. */
  #drainNs = 0;
  #outcome: InterleavedOutcome | null = null;

  constructor(order: ClosedOrder, loop: ClosedLoop, stopped: AbortSignal, readings: Readings) {
    this.order = order;
    this.#loop = loop;
    this.#stopped = stopped;
    this.#readings = readings;
    this.#over = AbortSignal.any([stopped, loop.broken]);
    // Its clients would try to connect again and again while others are under load.
    loop.broken.addEventListener('abort', () => loop.stop(this.#over), { once: true });
  }

  /** Whether nothing speaks against counting from now on. */
  hasSettled({ answers, span }: Interleaving['leadIn']): boolean {
    if (this.#outcome !== null) return true;
    return answersIn(this.#turns) >= answers && isSteady(this.#turns, span);
  }

  /** Acts as long as the order can go on; what ends it is its outcome. */
  async act(act: () => Promise<void>): Promise<void> {
    if (this.#outcome !== null) return;
    try {
      if (!this.#over.aborted) await act();
      if (this.#over.aborted) {
        const kind = this.#stopped.aborted ? 'stopped' : await this.#loop.whyBroken();
        this.#outcome = { kind };
      }
    } catch (error) {
      this.#outcome = { kind: 'failed', message: messageOf(error) };
    }
    if (this.#outcome !== null) await this.#loop.stop(this.#over);
  }

  /** Opens the connections, and lets them rest. */
  async open(): Promise<void> {
    await this.#loop.begin(async () => {}, this.#over);
    await this.#rest();
  }

  /** From the next turn on. */
  startCounting({ blocks, answers, span }: Interleaving['leadIn']): void {
    // A server too slow for so many requests has settled where it is steady; a low rate has too few to tell.
    const hasSettled = blocks.length === 0 || answers === 0 ? null : isSteady(this.#turns, span);
    this.#leadIn = { turns: this.#turns, hasSettled };
    this.#turns = [];
  }

  /**
   * Has the load on for so long that the server is idle again after about so many ns, and for as long as it
   * takes to send whole rounds where those are asked for.
   */
  async play(turnNs: number): Promise<void> {
    const { wholeRounds, drainCapNs } = this.order;
    const opened = await this.#snapshot();
    if (this.#leadIn !== null && this.#turns.length === 0) this.#loop.openWindow(opened.atNs);
    const answeredBefore = this.#loop.answered();
    this.#loop.resume();
    await until(opened.atNs + turnNs - this.#drainNs, this.#over);
    if (wholeRounds) await this.#loop.untilWhole(now() + drainCapNs, this.#over);
    await this.#rest();
    const used = usedBetween(opened, await this.#snapshot());
    const answers = this.#loop.answered() - answeredBefore;
    this.#turns.push({ opened, used, cpuNs: used.cpu.server.cpuNs, answers });
  }

  /** Ends the load once the server is quiet, and says what was counted. */
  async end(): Promise<void> {
    const { pids, quietCapNs, idleNsPerS } = this.order;
    const [first] = this.#turns;
    if (first === undefined || this.#leadIn === null) {
      throw new Error('an interleaving without blocks');
    }
    this.#loop.closeWindow(now());
    const used = this.#turns.map((turn) => turn.used).reduce(addUsed);
    const memories = await this.#readings.memories(pids, used.services);
    const cap = { capNs: quietCapNs, idleNsPerS };
    const quiet = await untilQuiet(pids.server, cap, this.#over, this.#readings);
    const blocks = blocksOf(this.#turns, await this.#snapshot());
    const { turns, hasSettled } = this.#leadIn;
    this.#outcome = measurementOf({
      warmupNs: first.opened.atNs - this.#startedNs,
      ...used,
      ...memories,
      leadIn: {
        blocks: turns.length,
        answers: answersIn(turns),
        ns: turns.reduce((sum, turn) => sum + turn.used.windowNs, 0),
        hasSettled,
      },
      blocks,
      ...quiet,
      halfway: null,
      drainNs: this.#drainNs,
      drainCapped: false,
      ...this.#loop.counted(),
    });
  }

  /** What became of it, once its server has let go of the connections. */
  async outcome(): Promise<InterleavedOutcome> {
    if (this.#outcome === null) throw new Error('an interleaving that is not over');
    const { kind } = this.#outcome;
    if (kind !== 'measured' && kind !== 'did not drain') return this.#outcome;
    try {
      await drain(this.order, this.#readings);
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
    if (!isIdle) this.#outcome = { kind: 'did not drain' };
  }

  #snapshot(): Promise<CounterSnapshot> {
    return takeSnapshot(now(), this.order, [], { isTurn: true, readings: this.#readings });
  }
}

/** Each turn is charged all that the server used from where it began to where the next one did, or to the end. */
function blocksOf(turns: readonly PlayedTurn[], end: CounterSnapshot): Block[] {
  return turns.map(({ opened, cpuNs, answers }, place) => {
    const charged = usedBetween(opened, turns[place + 1]?.opened ?? end);
    return { cpuNs, answers, chargedNs: charged.cpu.server.cpuNs, ns: charged.windowNs };
  });
}
