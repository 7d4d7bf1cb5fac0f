import { codeOf } from '../base/errors.ts';
import { now, until } from './clock.ts';
import { drain } from './drain.ts';
import { answersOf, type Measurement } from './measurement.ts';
import type { RequestCursors } from './mix.ts';
import type { CounterSources, OpenOrder, Order, Outcome } from './protocol.ts';
import { type Readings, takeSnapshot, usageBetween, withMemory } from './readings.ts';
import type { LoopCounts, Tally } from './tally.ts';

/** The load of one order. Its methods are called in this order; batches open a window each. Disposing of it ends it. */
export interface Loop extends AsyncDisposable {
  /** Other processes that send for it. */
  readonly senders?: readonly number[];
  /** Aborted once the load can't go on: with `REFUSED`, or with an error. */
  readonly broken: AbortSignal;
  /** The tally of the last window, if it is known before the load has stopped. */
  readonly window?: Tally;
  /** Resolves once the window can open for this generator, or when `over` is aborted. */
  begin(over: AbortSignal): Promise<void>;
  /** What is left to do once the windows of all generators can open. */
  start?(over: AbortSignal): Promise<void>;
  /** Opens the window now; returns the instant from which its length counts, ns. */
  openWindow(atNs: number): number;
  closeWindow(atNs: number): void;
  /** Ends the load and its connections, unless `over` is aborted before. */
  stop(over: AbortSignal): Promise<void>;
  counted(): LoopCounts;
}

/** Sends requests at a rate from these hosts, or from this machine if there are none. */
export type OpenLoop = (
  order: OpenOrder,
  cursors: RequestCursors,
  hosts: readonly string[],
) => Loop | Promise<Loop>;

export interface Job {
  /** Aborted to end the order early. */
  stopped: AbortSignal;
  cursors: RequestCursors;
  readings: Readings;
}

/** Carries out an order. `ready` resolves to the instant at which the window opens, ns. @throws if a process is gone. */
export async function carryOut(
  order: Order,
  start: () => Loop | Promise<Loop>,
  ready: () => Promise<number>,
  { stopped, readings }: Pick<Job, 'stopped' | 'readings'>,
): Promise<Outcome> {
  const roundTrip = await readings.roundTrip(order.origin);
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
  // Meanwhile: histograms take a while to encode.
  const counted = loop.counted();
  await draining;
  const { cpuNs } = used.cpu.server;
  const answers = answersOf(counted.window);
  return measurementOf({
    ...withMemory(used, memory),
    leadIn: { blocks: 0, answers: 0, ns: 0, hasSettled: null },
    // Under a steady load, work from before the window makes up for work that is left after it.
    blocks: [{ cpuNs, chargedNs: cpuNs, answers, ns: used.windowNs }],
    idleNsPerS: order.idleNsPerS,
    isQuiet: null,
    halfway,
    roundTrip,
    ...counted,
  });
}

export const REFUSED = Symbol('refused');

/** Errors of connections that are this machine's fault. */
const EXHAUSTED: Record<string, string> = {
  EADDRNOTAVAIL: 'no local port is left for a connection',
  EMFILE: 'no file descriptor is left for a connection',
  ENFILE: 'the system has no file descriptor left for a connection',
  ENOBUFS: 'the system has no memory left for a connection',
};

/** Whether the server refused a connection. If this machine could not open one, the process ends. */
export function isRefusal(error: Error): boolean {
  const code = codeOf(error) ?? '';
  const exhausted = EXHAUSTED[code];
  if (exhausted !== undefined) {
    // Thrown later, or the client library would take it for an error of the connection.
    process.nextTick(() => {
      throw new Error(`${exhausted} (${code})`, { cause: error });
    });
  }
  return code === 'ECONNREFUSED';
}

/** Why a load ended early. @throws its error. */
export function endingOf({ broken }: Loop, stopped: AbortSignal): Outcome {
  if (!stopped.aborted && broken.reason !== REFUSED) throw broken.reason;
  return { kind: stopped.aborted ? 'stopped' : 'refused' };
}

/**
 * Measures what is used while `wait` takes, which gets the instants from which the window counts and at which it
 * opened, ns. The loop learns of each edge in the turn of the event loop that reads counters. Null if the load ended.
 */
export async function measureWindow(
  sources: CounterSources,
  loop: Loop,
  readings: Readings,
  over: AbortSignal,
  wait: (fromNs: number, openedNs: number) => Promise<void>,
) {
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
  return usageBetween(opened, await closing);
}

/** The outcome of an order as one generator measured it. */
export function measurementOf(measured: Omit<Measurement, 'generators' | 'series'>): Outcome {
  const measurement = { ...measured, generators: 1, series: [] };
  return { kind: 'measured', measurement };
}
