import { addAbortListener } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningServer, ServerFailure } from '../launch/server.ts';
import type { RunningService } from '../services/index.ts';
import { firstThatCounts, withBlocksFrom } from './blocks.ts';
import type { Clock } from './clock.ts';
import { fanOut } from './fan-out.ts';
import { type Generator, GeneratorError } from './generator.ts';
import { answersOf, type Measurement } from './measurement.ts';
import {
  type BatchWindow,
  type ClosedOrder,
  type Command,
  type EndlessOrder,
  type Interleaving,
  type Order,
  opensAtOnce,
  type Reply,
} from './protocol.ts';
import type { startSeries } from './series.ts';

/** Why a server can't be measured any more: it failed, or a service that it needs did. */
export type Loss =
  | { state: 'failed'; failure: ServerFailure }
  | { state: 'serviceLost'; service: RunningService; message: string };
export type MeasureResult = { state: 'measured'; measurement: Measurement } | Loss;

const ALIVE_CHECK_MS = 250;
/** A dying process closes its sockets up to this long before it is gone. */
const DYING_MS = 500;
const DYING_POLL_MS = 10;

/**
 * Has generators carry out an order. The server fails if one of its processes is gone, or if it refuses all connections
 * or answers nothing in a whole slice; wrong answers are no failure. @throws the signal's reason, and GeneratorError.
 */
export async function measure(
  server: RunningServer,
  order: Order,
  generators: readonly Generator[],
  signal: AbortSignal,
  instruments: { clock: Clock; startSeries: typeof startSeries },
): Promise<MeasureResult> {
  using watch = watchOver(server);
  const series = order.kind === 'open' ? instruments.startSeries(order.pids) : null;
  try {
    const over = AbortSignal.any([watch.dead, signal]);
    const reply = await fanOut(generators, order, over, instruments.clock);
    signal.throwIfAborted();
    const measured = await judge(server, order, reply);
    if (measured.state !== 'measured') return measured;
    const samples = (await series?.stop()) ?? [];
    return { ...measured, measurement: { ...measured.measurement, series: samples } };
  } finally {
    await series?.stop().catch(() => {});
  }
}

function lostService({ spec }: RunningServer): Loss | null {
  for (const service of spec.services) {
    const message = service.failure();
    if (message !== null) return { state: 'serviceLost', service, message };
  }
  return null;
}

/** Aborts `dead` once a server, or a service that it needs, is gone. */
function watchOver(server: RunningServer): Disposable & { readonly dead: AbortSignal } {
  const dead = new AbortController();
  const watch = setInterval(() => {
    if (!server.isAlive() || lostService(server)) dead.abort();
  }, ALIVE_CHECK_MS);
  return { dead: dead.signal, [Symbol.dispose]: () => clearInterval(watch) };
}

/** What became of a server in an interleaving; one that `did not drain` can only be measured alone. */
export type InterleavedResult = MeasureResult | { state: 'did not drain' } | { state: 'stopped' };

/**
 * Has a generator interleave these orders; blocks contain indices of `members`. Each is returned with what became of
 * it: a server fails as in `measure`, without the others. Aborting `soon` gives all up. @throws as `measure`, by `now`.
 */
export async function measureInterleaving<T extends { server: RunningServer; order: ClosedOrder }>(
  members: readonly T[],
  plan: Pick<Interleaving, 'blocks' | 'leadIn'>,
  [generator]: readonly Generator[],
  { soon, now }: { soon: AbortSignal; now: AbortSignal },
): Promise<(T & { measured: InterleavedResult })[]> {
  if (generator === undefined) throw new Error('an interleaving without a generator');
  const over = AbortSignal.any([soon, now]);
  const interleaving = { orders: members.map(({ order }) => order), ...plan };
  const reply = await ask(generator, { kind: 'interleave', interleaving }, over);
  now.throwIfAborted();
  if (reply.kind !== 'interleaved') throw generatorFailed(reply);
  const judging = members.map(async (member, index) => {
    const outcome = reply.outcomes[index] ?? { kind: 'failed', message: 'it left an order out' };
    const { kind } = outcome;
    const isGivenUp = kind === 'did not drain' || (kind === 'stopped' && over.aborted);
    const measured: InterleavedResult = isGivenUp
      ? { state: kind }
      : await judge(member.server, member.order, outcome);
    return { ...member, measured };
  });
  const judged = await Promise.all(judging);
  const measurements = judged.flatMap(({ measured }) => {
    return measured.state === 'measured' ? [measured.measurement] : [];
  });
  const first = firstThatCounts(measurements);
  return judged.map((member) => {
    const { measured } = member;
    if (measured.state !== 'measured') return member;
    const measurement = withBlocksFrom(first, measured.measurement);
    return { ...member, measured: { state: 'measured', measurement } };
  });
}

async function ask(generator: Generator, command: Command, over: AbortSignal): Promise<Reply> {
  const reply = generator.ask(command);
  using _stopping = addAbortListener(over, () => generator.stop());
  return await reply;
}

/** What a reply says about the server. @throws GeneratorError when the generator failed. */
async function judge(server: RunningServer, order: Order, reply: Reply): Promise<MeasureResult> {
  const lost = await lostBy(server, reply);
  if (lost !== null) return lost;
  if (reply.kind !== 'measured') throw generatorFailed(reply);
  const { measurement } = reply;
  // In the whole slice: on a busy machine a short window may have no answer.
  const answered = answersOf(measurement.ledger);
  // No answer at all is a result under a contiguous overload; in a slice the server is broken.
  if (answered === 0 && order.kind === 'closed' && !opensAtOnce(order)) {
    return failed(server, 'it answered nothing in a whole slice');
  }
  return { state: 'measured', measurement };
}

async function lostBy(server: RunningServer, { kind }: Reply): Promise<Loss | null> {
  if (kind === 'refused') await anyDies(server);
  // First: a server may end because its service has.
  const lost = lostService(server);
  if (lost !== null) return lost;
  if (!server.isAlive()) return failed(server, 'one of its processes died under load');
  return kind === 'refused' ? failed(server, 'it refused every connection') : null;
}

/** The error for a reply that is no fault of the server. */
function generatorFailed(reply: Reply): GeneratorError {
  const message = reply.kind === 'failed' ? reply.message : `it said "${reply.kind}"`;
  return new GeneratorError(
    `the load generator failed: ${message}`,
    'See whether the machine ran out of memory, files or local ports (`ulimit -n`, `sysctl net.ipv4.ip_local_port_range`), and run again.',
  );
}

function failed(server: RunningServer, message: string): Loss {
  return { state: 'failed', failure: server.failure(message) };
}

/** Waits briefly until a process of this server is gone. */
export async function anyDies(server: Pick<RunningServer, 'isAlive'>): Promise<void> {
  const deadlineMs = performance.now() + DYING_MS;
  while (server.isAlive() && performance.now() < deadlineMs) await sleep(DYING_POLL_MS);
}

/** Loads a server until disposed of, which waits until the server is idle. @throws GeneratorError if that fails. */
export async function startWarming(
  server: RunningServer,
  order: EndlessOrder,
  [generator]: readonly Generator[],
  signal: AbortSignal,
) {
  if (generator === undefined) throw new Error('a warm-up without a generator');
  const begun = await generator.ask({ kind: 'begin', order });
  if (begun.kind !== 'ready') throw generatorFailed(begun);
  const watch = watchOver(server);
  const over = AbortSignal.any([watch.dead, signal]);
  let owesReply = false;
  return {
    /** Measures the next window of it. @throws the signal's reason when it is aborted, and GeneratorError. */
    take: async (window: BatchWindow) => {
      owesReply = true;
      const reply = await ask(generator, { kind: 'batch', window }, over);
      owesReply = false;
      signal.throwIfAborted();
      const lost = await lostBy(server, reply);
      if (lost !== null) return lost;
      if (reply.kind !== 'batch') throw generatorFailed(reply);
      return { state: 'measured' as const, batch: reply.batch };
    },
    [Symbol.asyncDispose]: async () => {
      watch[Symbol.dispose]();
      // It would not reply to this either, and a second error would hide the first.
      if (owesReply) return;
      const ended = await generator.ask({ kind: 'end' });
      if (ended.kind !== 'ready') throw generatorFailed(ended);
    },
  };
}
