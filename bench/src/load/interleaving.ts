import { messageOf } from '../base/errors.ts';
import { answersIn, isSteady, type Turn } from './blocks.ts';
import { now, until } from './clock.ts';
import { type ClosedLoop, closedLoop } from './closed-loop.ts';
import { drain, untilQuiet } from './drain.ts';
import { endingOf, type Job, measurementOf } from './loop.ts';
import type { Block, RoundTrip } from './measurement.ts';
import type { ClosedOrder, Interleaving, Outcome } from './protocol.ts';
import {
  addUsed,
  type CounterSnapshot,
  takeSnapshot,
  type Used,
  usedBetween,
  withMemory,
} from './readings.ts';

/**
 * Carries out orders together, as a randomized block design: opens the connections of all, and gives each a turn
 * in every block. While one order's load is on, all others rest, and a turn begins and ends with a server that has
 * answered everything. What a server does later is charged to it too: its counters run on from one of its turns to the
 * next, and after the last until it is quiet. The first blocks do not count: they go on until each server has
 * settled on these connections. An order that can't go on leaves without affecting the others.
 */
export async function carryOutInterleaving(
  { orders, blocks, leadIn }: Interleaving,
  job: Job,
): Promise<Outcome[]> {
  await using stack = new AsyncDisposableStack();
  const loads: InterleavedLoad[] = [];
  for (const order of orders) {
    const load = interleavedLoad(order, stack.use(closedLoop(order, job.cursors)), job);
    loads.push(load);
    await load.open();
  }
  const play = async (block: number[]) => {
    for (const place of block) await loads[place]?.play(blocks.length);
  };
  for (const block of leadIn.blocks) {
    if (loads.every((load) => load.hasSettled(leadIn))) break;
    await play(block);
  }
  for (const load of loads) load.startCounting(leadIn);
  for (const block of blocks) await play(block);
  await Promise.all(loads.map((load) => load.end()));
  // All connections are closed before anybody waits for a server to be idle.
  await stack.disposeAsync();
  return await Promise.all(loads.map((load) => load.outcome()));
}

/** A turn, as it was. */
interface PlayedTurn extends Turn {
  opened: CounterSnapshot;
  used: Used;
}

type InterleavedLoad = ReturnType<typeof interleavedLoad>;

/** One order of an interleaving, which goes on as long as it can. */
function interleavedLoad(order: ClosedOrder, loop: ClosedLoop, { stopped, readings }: Job) {
  const { drainCapNs } = order;
  const over = AbortSignal.any([stopped, loop.broken]);
  // Its clients would keep trying to connect while others are under load.
  loop.broken.addEventListener('abort', () => loop.stop(), { once: true });
  const startedNs = now();
  let roundTrip: RoundTrip | null = null;
  let turns: PlayedTurn[] = [];
  /** The turns before those that count; null until they do. */
  let leadIn: { turns: PlayedTurn[]; hasSettled: boolean | null } | null = null;
  /** How long the server took the last time to become idle. */
  let drainNs = 0;
  let outcome: Outcome | null = null;

  /** Acts as long as the order can go on; what ends it is its outcome. */
  const act = async (step: () => Promise<void>) => {
    if (outcome !== null) return;
    try {
      if (!over.aborted) await step();
      if (over.aborted) outcome = endingOf(loop, stopped);
    } catch (error) {
      outcome = { kind: 'failed', message: messageOf(error) };
    }
    if (outcome !== null) await loop.stop();
  };
  const rest = async () => {
    const startNs = now();
    const isIdle = await loop.pause(startNs + drainCapNs, over);
    drainNs = now() - startNs;
    if (!isIdle) outcome = { kind: 'did not drain' };
  };
  const snapshot = () => takeSnapshot(now(), readings.turnCounters(order));

  return {
    /** Opens the connections, and lets them rest. */
    open: () =>
      act(async () => {
        roundTrip = await readings.roundTrip(order.origin);
        await loop.begin(over);
        await rest();
      }),
    /** Whether nothing speaks against counting from now on. */
    hasSettled: ({ answers, span }: Interleaving['leadIn']) => {
      return outcome !== null || (answersIn(turns) >= answers && isSteady(turns, span));
    },
    /** Counts from the next turn on. */
    startCounting: ({ blocks, answers, span }: Interleaving['leadIn']) => {
      // A server too slow for that many requests has settled where it is steady; a low rate has too few to tell.
      const hasSettled = blocks.length === 0 || answers === 0 ? null : isSteady(turns, span);
      leadIn = { turns, hasSettled };
      turns = [];
    },
    /**
     * Has the load on for so long that the server is idle again after about the part of the window that falls to one
     * of these blocks, and for as long as it takes to send whole rounds where those are asked for.
     */
    play: (blocks: number) =>
      act(async () => {
        const opened = await snapshot();
        if (leadIn !== null && turns.length === 0) loop.openWindow(opened.atNs);
        const answeredBefore = loop.answered();
        loop.resume();
        await until(opened.atNs + order.window.ns / blocks - drainNs, over);
        await loop.untilWhole(now() + drainCapNs, over);
        await rest();
        const used = usedBetween(opened, await snapshot());
        const answers = loop.answered() - answeredBefore;
        turns.push({ opened, used, cpuNs: used.cpu.server.cpuNs, answers });
      }),
    /** Ends the load once the server is quiet, and says what was counted. */
    end: () =>
      act(async () => {
        const [first] = turns;
        if (first === undefined || leadIn === null)
          throw new Error('an interleaving without blocks');
        loop.closeWindow(now());
        const used = turns.map((turn) => turn.used).reduce(addUsed);
        const memory = await readings.memory(order);
        const quiet = await untilQuiet(order, over, readings);
        outcome = measurementOf({
          warmupNs: first.opened.atNs - startedNs,
          ...withMemory(used, memory),
          leadIn: {
            blocks: leadIn.turns.length,
            answers: answersIn(leadIn.turns),
            ns: leadIn.turns.reduce((sum, turn) => sum + turn.used.windowNs, 0),
            hasSettled: leadIn.hasSettled,
          },
          blocks: blocksOf(turns, await snapshot()),
          ...quiet,
          halfway: null,
          drainNs,
          drainCapped: false,
          roundTrip,
          ...loop.counted(),
        });
      }),
    /** What became of it, once its server has let go of the connections. */
    outcome: async (): Promise<Outcome> => {
      if (outcome === null) throw new Error('an interleaving that is not over');
      if (outcome.kind !== 'measured' && outcome.kind !== 'did not drain') return outcome;
      try {
        await drain(order, readings);
        return outcome;
      } catch (error) {
        // One of its processes is gone by now.
        return { kind: 'failed', message: messageOf(error) };
      }
    },
  };
}

/** Each turn is charged with all that the server used from its beginning to the next one's, or to the end. */
function blocksOf(turns: readonly PlayedTurn[], end: CounterSnapshot): Block[] {
  return turns.map(({ opened, cpuNs, answers }, place) => {
    const charged = usedBetween(opened, turns[place + 1]?.opened ?? end);
    return { cpuNs, answers, chargedNs: charged.cpu.server.cpuNs, ns: charged.windowNs };
  });
}
