import { addAbortListener } from 'node:events';
import type { Clock } from './clock.ts';
import type { Generator } from './generator.ts';
import { mergeOutcomes } from './merge.ts';
import { shareOf } from './order.ts';
import type { Order, Outcome, Prepared } from './protocol.ts';

/** So long before their windows open are several generators told, so that each knows in time. */
const NOTICE_NS = 1e7;

/**
 * Has these generators carry out one order between them: once all are ready, their windows open at the
 * same instant. `stopped` ends it early, with the outcome `stopped`; one generator that can't go on
 * ends it for all.
 * @throws when a generator process dies or answers something else.
 */
export async function measureTogether(
  generators: readonly Generator[],
  order: Order,
  stopped: AbortSignal,
  clock: Clock,
): Promise<Outcome> {
  const stop = () => {
    for (const generator of generators) generator.stop();
  };
  const replyTo = async <Reply extends Prepared | Outcome>(asked: Promise<Reply>) => {
    const reply = await asked;
    if (reply.kind !== 'ready' && reply.kind !== 'measured') stop();
    return reply;
  };
  const preparing = generators.map(async (generator, index) => {
    const share = shareOf(order, index, generators.length);
    return { generator, prepared: await replyTo(generator.prepare(share)) };
  });
  using _stopping = addAbortListener(stopped, stop);
  const all = await Promise.all(preparing);
  // One alone has nobody to wait for.
  const atNs = clock.now() + (generators.length > 1 ? NOTICE_NS : 0);
  const outcomes = all.map(({ generator, prepared }): Outcome | Promise<Outcome> => {
    return prepared.kind === 'ready' ? replyTo(generator.open(atNs)) : prepared;
  });
  return (await Promise.all(outcomes)).reduce(mergeOutcomes);
}
