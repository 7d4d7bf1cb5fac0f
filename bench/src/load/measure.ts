import { isAlive } from '../launch/processes.ts';
import type { RunningServer, ServerFailure } from '../launch/server.ts';
import type { Generator } from './generator.ts';
import type { Measurement, Order } from './protocol.ts';

export type Measured =
  | { state: 'measured'; measurement: Measurement }
  | { state: 'failed'; failure: ServerFailure };

const ALIVE_CHECK_MS = 250;

/**
 * Carries out an order against a server, and gives up as soon as one of its processes is gone.
 * @throws the signal's reason when it is aborted, and when the generator itself fails.
 */
export async function measure(
  server: RunningServer,
  order: Order,
  generator: Generator,
  signal: AbortSignal,
): Promise<Measured> {
  const dead = new AbortController();
  const watch = setInterval(() => {
    if (!server.pids.every(isAlive)) dead.abort();
  }, ALIVE_CHECK_MS);
  try {
    const reply = await generator.measure(order, AbortSignal.any([dead.signal, signal]));
    signal.throwIfAborted();
    const failed = (message: string): Measured => {
      return { state: 'failed', failure: { message, lastWords: server.lastWords() } };
    };
    if (!server.pids.every(isAlive)) return failed('one of its processes died under load');
    if (reply.kind === 'refused') return failed('it refused every connection');
    if (reply.kind !== 'measured') {
      throw new Error(`the load generator ${reply.kind === 'failed' ? reply.message : reply.kind}`);
    }
    const { measurement } = reply;
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
