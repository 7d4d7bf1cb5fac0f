import { now, until } from './clock.ts';
import { drain } from './drain.ts';
import { answersOf, type Measurement } from './measurement.ts';
import type { RequestCursors } from './mix.ts';
import { type CounterSources, type Order, type Outcome, opensAtOnce } from './protocol.ts';
import { type Readings, takeSnapshot, type Used, usedBetween, withMemory } from './readings.ts';
import type { Counted, Tally } from './tally.ts';

/**
 * The load of an order, as one library makes it. It is begun, its window is opened and closed, it is
 * stopped and asked what it counted, in this order. Disposing of it ends it at any moment.
 */
export interface Loop extends AsyncDisposable {
  /** The processes that send for it, beside this one; none where it has no such. */
  readonly senders?: readonly number[];
  /** Aborted once the load can't go on: with `REFUSED` where the server refuses connections, or with an error. */
  readonly broken: AbortSignal;
  /** The tally of the window that is open, or was last, where it is known before the load has stopped. */
  readonly window?: Tally;
  /** Resolves once the window can open for this generator, or when `over` is aborted. */
  begin(over: AbortSignal): Promise<void>;
  /** What is left to do before the window opens, once that of every generator can. */
  start?(over: AbortSignal): Promise<void>;
  /** Opens the window at this instant, which is now; returns the instant from which its length counts, ns. */
  openWindow(atNs: number): number;
  /** Closes the window at this instant, which is now. */
  closeWindow(atNs: number): void;
  /** Ends the load and its connections, unless `over` is aborted before. */
  stop(over: AbortSignal): Promise<void>;
  /** To be called once it has been stopped. */
  counted(): Counted;
}

/** What an order is carried out with. */
export interface Job {
  /** Aborted: the order ends early. */
  stopped: AbortSignal;
  /** Where the connections are in their mixes. */
  cursors: RequestCursors;
  readings: Readings;
}

/**
 * Carries out an order by this loop. `ready` says that the window can open; it resolves to the instant at
 * which it does, ns. @throws when a process is gone, or the loop itself fails.
 */
export async function carryOut(
  order: Order,
  start: () => Promise<Loop>,
  ready: () => Promise<number>,
  { stopped, readings }: Pick<Job, 'stopped' | 'readings'>,
): Promise<Outcome> {
  const roundTrip = await readings.roundTrip(order.origin);
  const startedNs = now();
  await using loop = await start();
  const over = AbortSignal.any([stopped, loop.broken]);
  await loop.begin(over);
  if (!over.aborted) await until(await ready(), over);
  if (!over.aborted) await loop.start?.(over);
  if (over.aborted) return endingOf(loop, stopped);

  let halfway: Measurement['halfway'] = null;
  const used = await measureWindow(order, loop, readings, over, async (fromNs, openedNs) => {
    const untilShare = (share: number) => until(fromNs + share * order.window.ns, over);
    await untilShare(0.5);
    if (loop.window) halfway = { ns: now() - openedNs, ok: loop.window.counts.ok };
    await untilShare(1);
  });
  if (used === null) return endingOf(loop, stopped);
  const memory = await readings.memory(order);
  await loop.stop(over);
  if (over.aborted) return endingOf(loop, stopped);
  const draining = drain(order, readings);
  // Histograms take a while to encode; the server is becoming idle meanwhile.
  const counted = loop.counted();
  return measurementOf({
    warmupNs: opensAtOnce(order) ? 0 : used.openedNs - startedNs,
    ...withMemory(used, memory),
    leadIn: { blocks: 0, answers: 0, ns: 0, hasSettled: null },
    blocks: [blockOf(used, counted)],
    idleNsPerS: order.idleNsPerS,
    isQuiet: null,
    halfway,
    roundTrip,
    ...(await draining),
    ...counted,
  });
}

/** Why a load can't go on. */
export const REFUSED = Symbol('refused');

/** Why a load ended early. @throws what it failed with. */
export function endingOf({ broken }: Loop, stopped: AbortSignal): Outcome {
  if (!stopped.aborted && broken.reason !== REFUSED) throw broken.reason;
  return { kind: stopped.aborted ? 'stopped' : 'refused' };
}

/**
 * What is used in a window of a load that is open as long as `wait` takes, which is told from when its length counts
 * and when it opened, ns. The loop is told of each edge in the same turn of the event loop in which counters are read.
 * Null where the load ended early.
 */
export async function measureWindow(
  sources: CounterSources,
  loop: Loop,
  readings: Readings,
  over: AbortSignal,
  wait: (fromNs: number, openedNs: number) => Promise<void>,
): Promise<Used | null> {
  const snapshot = (atNs: number) => takeSnapshot(atNs, readings.counters(sources), loop.senders);
  const openedNs = now();
  const opening = snapshot(openedNs);
  const fromNs = loop.openWindow(openedNs);
  const opened = await opening;
  await wait(fromNs, openedNs);
  if (over.aborted) return null;
  const closedNs = now();
  const closing = snapshot(closedNs);
  loop.closeWindow(closedNs);
  return usedBetween(opened, await closing);
}

/** The outcome of an order of which one generator measured this; the harness adds the rest. */
export function measurementOf(
  measured: Omit<Measurement, 'disturbed' | 'generators' | 'series'>,
): Outcome {
  const measurement = { ...measured, disturbed: [], generators: 1, series: [] };
  return { kind: 'measured', measurement };
}

/** A window by itself: under a steady load, work on earlier requests makes up for work that is left over. */
function blockOf({ cpu, windowNs: ns }: Used, { window }: Counted): Measurement['blocks'][number] {
  const { cpuNs } = cpu.server;
  return { cpuNs, chargedNs: cpuNs, answers: answersOf(window), ns };
}
