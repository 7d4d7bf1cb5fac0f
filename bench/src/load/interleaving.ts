import { messageOf } from '../base/errors.ts';
import { plus } from '../math/counters.ts';
import { answersIn, hasSettled, isSteady, type Turn } from './blocks.ts';
import { now, until } from './clock.ts';
import { type ClosedLoop, closedLoop } from './closed-loop.ts';
import { drain, untilQuiet } from './drain.ts';
import { endingOf, type Job, measurementOf } from './loop.ts';
import type { Block, Measurement, RoundTrip } from './measurement.ts';
import type { ClosedOrder, Interleaving, Outcome } from './protocol.ts';
import { type CounterSnapshot, takeSnapshot, usageBetween, withMemory } from './readings.ts';

/**
 * Carries out orders as a randomized block design: opens all connections, and gives each order a turn in every block,
 * in which the others rest. A turn begins and ends with a server that has answered everything. A server is also
 * charged for later work: its counters run from one of its turns to the next, and after the last until it is quiet.
 * The lead-in does not count: it lasts until every server has settled. An order that can't go on drops out alone.
 */
export async function carryOutInterleaving({ orders, blocks, leadIn }: Interleaving, job: Job) {
  await using stack = new AsyncDisposableStack();
  const loads: ReturnType<typeof interleavedLoad>[] = [];
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

type PlayedTurn = Turn & { opened: CounterSnapshot; used: ReturnType<typeof usageBetween> };

function interleavedLoad(order: ClosedOrder, loop: ClosedLoop, { stopped, readings }: Job) {
  const { drainCapNs } = order;
  const over = AbortSignal.any([stopped, loop.broken]);
  // Its clients would go on connecting while others are under load.
  loop.broken.addEventListener('abort', () => loop.stop(), { once: true });
  let roundTrip: RoundTrip | null = null;
  let turns: PlayedTurn[] = [];
  /** Null until it is over. */
  let leadIn: Measurement['leadIn'] | null = null;
  let drainNs = 0;
  let outcome: Outcome | null = null;

  /** A step that is taken unless the order has ended; what ends it is its outcome. */
  const step = <Args extends unknown[]>(act: (...args: Args) => Promise<void>) => {
    return async (...args: Args): Promise<void> => {
      if (outcome !== null) return;
      try {
        if (!over.aborted) await act(...args);
        if (over.aborted) outcome = endingOf(loop, stopped);
      } catch (error) {
        outcome = { kind: 'failed', message: messageOf(error) };
      }
      if (outcome !== null) await loop.stop();
    };
  };
  const rest = async () => {
    const startNs = now();
    const isIdle = await loop.pause(startNs + drainCapNs, over);
    drainNs = now() - startNs;
    if (!isIdle) outcome = { kind: 'did not drain' };
  };
  const snapshot = () => takeSnapshot(now(), readings.turnCounters(order));

  return {
    open: step(async () => {
      roundTrip = await readings.roundTrip(order.origin);
      await loop.begin(over);
      await rest();
    }),
    hasSettled: (rule: Interleaving['leadIn']) => outcome !== null || hasSettled(turns, rule),
    startCounting: (rule: Interleaving['leadIn']) => {
      const canTell = rule.blocks.length > 0 && rule.answers > 0;
      leadIn = {
        blocks: turns.length,
        answers: answersIn(turns),
        ns: turns.reduce((sum, turn) => sum + turn.used.windowNs, 0),
        // A steady server has settled, even if it is too slow for so many answers; at a low rate nobody can tell.
        hasSettled: canTell ? hasSettled(turns, rule) || isSteady(turns, rule.span) : null,
      };
      turns = [];
    },
    /** Takes a turn: with draining it lasts for one block's part of the window, or until rounds are whole. */
    play: step(async (blocks: number) => {
      const opened = await snapshot();
      if (leadIn !== null && turns.length === 0) loop.openWindow(opened.atNs);
      const answeredBefore = loop.answered();
      loop.resume();
      await until(opened.atNs + order.window.ns / blocks - drainNs, over);
      await loop.untilWhole(now() + drainCapNs, over);
      await rest();
      const used = usageBetween(opened, await snapshot());
      const answers = loop.answered() - answeredBefore;
      turns.push({ opened, used, cpuNs: used.cpu.server.cpuNs, answers });
    }),
    /** Waits until the server is quiet, and adds everything up. */
    end: step(async () => {
      const [first] = turns;
      if (first === undefined || leadIn === null) throw new Error('no blocks were played');
      loop.closeWindow(now());
      const used = turns.map((turn) => turn.used).reduce((sum, own) => plus(sum, own));
      const memory = await readings.memory(order);
      const quiet = await untilQuiet(order, over, readings);
      outcome = measurementOf({
        ...withMemory(used, memory),
        openedNs: first.opened.atNs,
        leadIn,
        blocks: blocksOf(turns, await snapshot()),
        ...quiet,
        halfway: null,
        roundTrip,
        ...loop.counted(),
      });
    }),
    /** The outcome, once the server has drained after the connections were closed. */
    outcome: async (): Promise<Outcome> => {
      if (outcome === null) throw new Error('an interleaving that has not ended');
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

function blocksOf(turns: readonly PlayedTurn[], end: CounterSnapshot): Block[] {
  return turns.map(({ opened, cpuNs, answers }, place) => {
    const charged = usageBetween(opened, turns[place + 1]?.opened ?? end);
    return { cpuNs, answers, chargedNs: charged.cpu.server.cpuNs, ns: charged.windowNs };
  });
}
