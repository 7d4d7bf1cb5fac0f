import { addAbortListener } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningServer, ServerFailure } from '../launch/server.ts';
import type { RunningService } from '../services/running.ts';
import type { Clock } from './clock.ts';
import { countBlocks } from './counted-blocks.ts';
import { type Generator, type GeneratorError, generatorFailed } from './generator.ts';
import { answersOf, type Measurement } from './measurement.ts';
import {
  type BatchOutcome,
  type ClosedOrder,
  type Ending,
  type InterleavedOutcome,
  type Interleaving,
  type Order,
  type Outcome,
  opensAtOnce,
} from './protocol.ts';
import type { FollowedPids, Series } from './series.ts';
import { measureTogether } from './together.ts';

/** Why nothing can be measured of a server any more. */
export type Lost =
  | { state: 'failed'; failure: ServerFailure }
  /** What it needs does not serve, which is not its own fault. */
  | { state: 'serviceLost'; service: RunningService; message: string };
export type Measured = { state: 'measured'; measurement: Measurement } | Lost;

/** What a measurement takes beside its generators. */
export interface Instruments {
  readonly clock: Clock;
  /** Reads what these processes use, second by second. */
  startSeries(pids: FollowedPids): Series;
}

const ALIVE_CHECK_MS = 250;
/** A process that dies closes its sockets before it is gone: connections are refused this long before. */
const DYING_MS = 500;
const DYING_POLL_MS = 10;

/**
 * Has generators carry out an order against a server. It has failed when one of its processes is
 * gone, when it refuses every connection, or when it answers nothing at all in a slice; wrong answers
 * are counted, and no failure.
 * @throws the signal's reason when it is aborted, and when a generator itself fails.
 */
export async function measure(
  server: RunningServer,
  order: Order,
  generators: readonly Generator[],
  signal: AbortSignal,
  { clock, startSeries }: Instruments,
): Promise<Measured> {
  using watch = watchOver(server);
  const series = order.kind === 'open' ? startSeries(order.pids) : null;
  try {
    const over = AbortSignal.any([watch.dead, signal]);
    const outcome = await measureTogether(generators, order, over, clock);
    signal.throwIfAborted();
    const measured = await judge(server, order, outcome);
    if (measured.state !== 'measured') return measured;
    const samples = (await series?.stop()) ?? [];
    return { ...measured, measurement: { ...measured.measurement, series: samples } };
  } finally {
    await series?.stop().catch(() => {});
  }
}

/** A service that a server needs and that does not serve, if there is one. */
function lostService({ spec }: RunningServer): Extract<Lost, { state: 'serviceLost' }> | null {
  for (const service of spec.services) {
    const message = service.trouble();
    if (message !== null) return { state: 'serviceLost', service, message };
  }
  return null;
}

/** Looks again and again whether a server, and what it needs, is there. */
export function watchOver(server: RunningServer): Disposable & { readonly dead: AbortSignal } {
  const dead = new AbortController();
  const watch = setInterval(() => {
    if (!server.isAlive() || lostService(server)) dead.abort();
  }, ALIVE_CHECK_MS);
  return { dead: dead.signal, [Symbol.dispose]: () => clearInterval(watch) };
}

/** A server of an interleaving, and what it is measured by. */
export interface Interleaved {
  server: RunningServer;
  order: ClosedOrder;
}

/** What became of a server in an interleaving; one that `did not drain` can only be measured in one go. */
export type InterleavedMeasured = Measured | { state: 'did not drain' } | { state: 'stopped' };

/**
 * Has a generator carry out orders together, block by block, which hold their places in `members`. Returns each
 * with what became of it; one server's failure is as in `measure`, and does not end it for the others. Once `soon`
 * is aborted all of it is given up.
 * @throws as `measure`, by the signal `now`.
 */
export async function measureInterleaving<T extends Interleaved>(
  members: readonly T[],
  plan: Pick<Interleaving, 'blocks' | 'leadIn'>,
  [generator]: readonly Generator[],
  { soon, now }: { soon: AbortSignal; now: AbortSignal },
): Promise<(T & { measured: InterleavedMeasured })[]> {
  if (generator === undefined) throw new Error('an interleaving without a generator');
  const over = AbortSignal.any([soon, now]);
  const orders = members.map(({ order }) => order);
  const interleaving = generator.interleave({ orders, ...plan });
  using _stopping = addAbortListener(over, () => generator.stop());
  const outcomes = await interleaving;
  now.throwIfAborted();
  const judging = members.map(async (each, index) => {
    const outcome = outcomes[index] ?? { kind: 'failed', message: 'it left an order out' };
    return { ...each, measured: await judgeInterleaved(each, outcome, over) };
  });
  return withBlocksThatCount(await Promise.all(judging));
}

/** A block counts for all of them or for none. */
function withBlocksThatCount<T extends { measured: InterleavedMeasured }>(members: T[]): T[] {
  const measurements = members.map(({ measured }) => {
    return measured.state === 'measured' ? measured.measurement : null;
  });
  const counted = countBlocks(measurements.filter((each) => each !== null));
  return members.map((member) => {
    const { measured } = member;
    const measurement = measured.state === 'measured' ? counted.get(measured.measurement) : null;
    return measurement ? { ...member, measured: { state: 'measured', measurement } } : member;
  });
}

async function judgeInterleaved(
  { server, order }: Interleaved,
  outcome: InterleavedOutcome,
  over: AbortSignal,
): Promise<InterleavedMeasured> {
  if (outcome.kind === 'did not drain') return { state: 'did not drain' };
  if (outcome.kind === 'stopped' && over.aborted) return { state: 'stopped' };
  return await judge(server, order, outcome);
}

/** What an outcome says of the server. @throws when the generator itself failed. */
async function judge(server: RunningServer, order: Order, outcome: Outcome): Promise<Measured> {
  const lost = await lostBy(server, outcome);
  if (lost !== null) return lost;
  if (outcome.kind !== 'measured') throw troubleOf(outcome);
  const { measurement } = outcome;
  // Of the whole slice: a busy machine may leave a short window without an answer.
  const answered = answersOf(measurement.ledger);
  // Under a contiguous overload, answering nobody is a result; in a slice it is a broken server.
  if (answered === 0 && order.kind === 'closed' && !opensAtOnce(order)) {
    return failed(server, 'it answered nothing in a whole slice');
  }
  return { state: 'measured', measurement };
}

/** Whether a server is lost, by what a generator says of it and what became of its processes. */
export async function lostBy(
  server: RunningServer,
  { kind }: Outcome | BatchOutcome,
): Promise<Lost | null> {
  if (kind === 'refused') await anyDies(server);
  // A server may well end for want of it: that comes second.
  const lost = lostService(server);
  if (lost !== null) return lost;
  if (!server.isAlive()) {
    return failed(server, server.killedBy() ?? 'one of its processes died under load');
  }
  return kind === 'refused' ? failed(server, 'it refused every connection') : null;
}

/** What it means that a generator measured nothing of a server that is as it should be. */
export function troubleOf(outcome: Ending): GeneratorError {
  return generatorFailed(outcome.kind === 'failed' ? outcome.message : `it said "${outcome.kind}"`);
}

function failed(server: RunningServer, message: string): Lost {
  const died = !server.isAlive();
  return { state: 'failed', failure: { message, logTail: server.logTail(), died } };
}

/** Waits until a process of this server is gone, but not for long. */
export async function anyDies(server: Pick<RunningServer, 'isAlive'>): Promise<void> {
  const deadlineMs = performance.now() + DYING_MS;
  while (server.isAlive() && performance.now() < deadlineMs) await sleep(DYING_POLL_MS);
}
