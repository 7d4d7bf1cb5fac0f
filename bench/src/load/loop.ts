import { now, until } from './clock.ts';
import { drain } from './drain.ts';
import { answersOf, type Measurement } from './measurement.ts';
import { type Order, type Outcome, opensAtOnce, type Read } from './protocol.ts';
import { READ_HERE, type Readings } from './readings.ts';
import { takeSnapshot, type Used, usedBetween } from './snapshot.ts';

/** What a loop has counted, once it is over. */
export type Counted = Pick<
  Measurement,
  | 'warmupCapped'
  | 'window'
  | 'requests'
  | 'ledger'
  | 'latencyHistogram'
  | 'agesHistograms'
  | 'pace'
  | 'turns'
>;

/**
 * The load of an order, as one library puts it on. It is begun, has its window opened and closed, is
 * stopped and asked what it counted, in this order; disposing of it ends it at any moment.
 */
export interface Loop extends AsyncDisposable {
  /** The processes that send for it, beside this one. */
  readonly senders: readonly number[];
  /** Aborted once nothing can come of it any more. */
  readonly broken: AbortSignal;
  /** Why that is: the server refuses connections. @throws what else it is. */
  whyBroken(): Promise<'refused'>;
  /**
   * Puts the load on. Calls `ready` once its window could open, which resolves when those of all
   * generators can; resolves when it is to open, or when `over` is aborted.
   */
  begin(ready: () => Promise<void>, over: AbortSignal): Promise<void>;
  /** Opens the window at this instant, which is now; returns that from which its length counts, ns. */
  openWindow(atNs: number): number;
  /** The window's requests answered as declared so far; null where nobody can tell. */
  okSoFar(): number | null;
  /** Closes the window at this instant, which is now. */
  closeWindow(atNs: number): void;
  /** Ends the load and its connections; returns whether it did so before `over` was aborted. */
  stop(over: AbortSignal): Promise<boolean>;
  /** To be called once it has been stopped. */
  counted(): Counted;
}

/** An order under way, as far as the harness has a say in it. */
export interface Job {
  /** Aborted: the order ends early. */
  stopped: AbortSignal;
  /** Says that the window can open; resolves to the instant at which it does, ns. */
  ready(): Promise<number>;
}

/** Carries out an order by this loop. @throws when a process is gone, or the loop itself fails. */
export async function carryOut(
  order: Order,
  start: () => Promise<Loop>,
  { stopped, ready }: Job,
  readings: Readings = READ_HERE,
): Promise<Outcome> {
  const startedNs = now();
  await using loop = await start();
  const over = AbortSignal.any([stopped, loop.broken]);
  const ending = async (): Promise<Outcome> => {
    return { kind: stopped.aborted ? 'stopped' : await loop.whyBroken() };
  };
  const untilReady = async () => {
    if (!over.aborted) await until(await ready(), over);
  };
  await loop.begin(untilReady, over);
  if (over.aborted) return ending();

  const { snapshot: opened, told: fromNs } = await snapshotWith(order, loop, readings, (at) =>
    loop.openWindow(at),
  );
  const untilShare = (share: number) => {
    return until(fromNs + share * order.window.ns, over);
  };
  await untilShare(0.5);
  const ok = loop.okSoFar();
  const halfway = ok === null ? null : { ns: now() - opened.atNs, ok };
  await untilShare(1);
  if (over.aborted) return ending();
  const { snapshot: closed } = await snapshotWith(order, loop, readings, (at) => {
    loop.closeWindow(at);
  });

  const used = usedBetween(opened, closed);
  const memories = await readings.memories(order.pids, used.services);
  if (!(await loop.stop(over))) return ending();
  const draining = drain(order, readings);
  // Histograms take a while to pack; the server is becoming idle meanwhile.
  const counted = loop.counted();
  return measurementOf({
    warmupNs: opensAtOnce(order) ? 0 : opened.atNs - startedNs,
    ...used,
    ...memories,
    leadIn: { blocks: 0, answers: 0, ns: 0, hasSettled: null },
    blocks: [blockOf(used, counted)],
    idleNsPerS: order.idleNsPerS,
    isQuiet: null,
    halfway,
    ...(await draining),
    ...counted,
  });
}

/** The outcome of an order of which this was measured, by one generator and without what the harness adds. */
export function measurementOf(
  measured: Omit<Measurement, 'disturbed' | 'generators' | 'series' | 'roundTrip'>,
): Extract<Outcome, { kind: 'measured' }> {
  const own = { disturbed: [], generators: 1, series: [], roundTrip: null };
  const measurement = { ...measured, ...own };
  return { kind: 'measured', measurement };
}

/** A window by itself: under a steady load, what it has of the work of earlier requests makes up for what it has not. */
function blockOf({ cpu, windowNs: ns }: Used, { window }: Counted): Measurement['blocks'][number] {
  const { cpuNs } = cpu.server;
  return { cpuNs, chargedNs: cpuNs, answers: answersOf(window), ns };
}

/** Reads an edge of the window, and tells the loop within the same turn. */
export async function snapshotWith<Result>(
  order: Read,
  { senders }: Loop,
  readings: Readings,
  tell: (atNs: number) => Result,
) {
  const atNs = now();
  const reading = takeSnapshot(atNs, order, senders, { readings });
  const told = tell(atNs);
  return { snapshot: await reading, told };
}
