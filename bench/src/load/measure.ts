import { isAlive } from '../launch/processes.ts';
import type { RunningServer, ServerFailure } from '../launch/server.ts';
import type { Generator } from './generator.ts';
import type { Measurement, Order } from './protocol.ts';
import { measureTogether } from './together.ts';

export type Measured =
  | { state: 'measured'; measurement: Measurement }
  | { state: 'failed'; failure: ServerFailure };

const ALIVE_CHECK_MS = 250;

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
): Promise<Measured> {
  const dead = new AbortController();
  const watch = setInterval(() => {
    if (!server.pids.every(isAlive)) dead.abort();
  }, ALIVE_CHECK_MS);
  try {
    const over = AbortSignal.any([dead.signal, signal]);
    const outcome = await measureTogether(generators, order, over);
    signal.throwIfAborted();
    const died = !server.pids.every(isAlive);
    const failed = (message: string): Measured => {
      return { state: 'failed', failure: { message, lastWords: server.lastWords(), died } };
    };
    if (died) return failed('one of its processes died under load');
    if (outcome.kind === 'refused') return failed('it refused every connection');
    if (outcome.kind !== 'measured') {
      const { kind } = outcome;
      throw new Error(`the load generator ${kind === 'failed' ? outcome.message : kind}`);
    }
    const { measurement } = outcome;
    const { ok, wrongStatus, wrongBody } = measurement.window;
    // Under a contiguous overload, answering nobody is a result; in a slice it is a broken server.
    if (ok + wrongStatus + wrongBody === 0 && order.opening.when === 'all answered') {
      return failed('it answered nothing in a whole slice');
    }
    return { state: 'measured', measurement };
  } finally {
    clearInterval(watch);
  }
}
