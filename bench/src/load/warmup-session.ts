import { addAbortListener } from 'node:events';
import type { RunningServer } from '../launch/server.ts';
import type { Generator } from './generator.ts';
import { type Lost, lostBy, troubleOf, watchOver } from './measure.ts';
import type { Batch, BatchWindow, LastingOrder } from './protocol.ts';

/** A load on a server that goes on until it is disposed of, which waits until the server is idle. */
export interface WarmupSession extends AsyncDisposable {
  /**
   * Measures the next window of it.
   * @throws the signal's reason when it is aborted, and when the generator itself fails.
   */
  take(window: BatchWindow): Promise<{ state: 'measured'; batch: Batch } | Lost>;
}

/** Has the first of these generators put such a load on. @throws when it can't be told. */
export async function startWarming(
  server: RunningServer,
  order: LastingOrder,
  [generator]: readonly Generator[],
  signal: AbortSignal,
): Promise<WarmupSession> {
  if (generator === undefined) throw new Error('a warm-up without a generator');
  const watch = watchOver(server);
  const over = AbortSignal.any([watch.dead, signal]);
  await generator.begin(order);
  const stopping = addAbortListener(over, () => generator.stop());
  let isGone = false;
  const lose = (error: unknown): never => {
    isGone = true;
    throw error;
  };
  return {
    take: async (window) => {
      const outcome = await generator.batch(window).catch(lose);
      signal.throwIfAborted();
      const lost = await lostBy(server, outcome);
      if (lost !== null) return lost;
      if (outcome.kind !== 'batch') throw troubleOf(outcome);
      return { state: 'measured', batch: outcome.batch };
    },
    [Symbol.asyncDispose]: async () => {
      stopping[Symbol.dispose]();
      watch[Symbol.dispose]();
      // One that owes a reply does not end its load either; a second error would hide the first.
      if (!isGone) await generator.end();
    },
  };
}
