import { isAlive } from '../launch/processes.ts';
import type { RunningServer, ServerFailure } from '../launch/server.ts';
import type { Generator } from './generator.ts';
import type { Measurement, Order } from './protocol.ts';

export type Measured =
  | { state: 'measured'; measurement: Measurement }
  | { state: 'failed'; failure: ServerFailure };

const ALIVE_CHECK_MS = 250;

/**
 * Carries out an order against a server. It has failed when one of its processes is gone, when any
 * answer is not the declared one, or when there is none at all in a slice.
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
    const wrong = measurement.ledger.wrongStatus + measurement.ledger.wrongBody;
    if (wrong > 0) {
      const answers = `${wrong} of ${wrong + measurement.ledger.ok} answers`;
      return failed(`${answers} under load had another status or body than declared`);
    }
    // Under a contiguous overload, answering nobody is a result; in a slice it is a broken server.
    if (measurement.window.ok === 0 && order.opening.when === 'all answered') {
      return failed('it answered nothing in a whole slice');
    }
    return { state: 'measured', measurement };
  } finally {
    clearInterval(watch);
  }
}
