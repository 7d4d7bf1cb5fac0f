import type { Clock } from './clock.ts';
import { type Generator, GeneratorError } from './generator.ts';
import type { LastingOrder, Order } from './protocol.ts';

/** A generator has so much longer than its order can take: the machine may be busy, or a driver slow to start. */
const GRACE_NS = 30e9;
/** It ends within this once it is told to stop. */
const STOP_NS = 10e9;

/**
 * A generator whose every reply comes within the longest time that its order can take, and soon once it
 * is told to stop; else it hangs, and the reply is an error.
 */
export function withDeadlines(generator: Generator, clock: Clock): Generator {
  let stopped = new AbortController();
  let lasting: LastingOrder | null = null;
  const within = async <T>(ns: number, reply: Promise<T>): Promise<T> => {
    const answered = new AbortController();
    try {
      const late = throwAfter(ns + GRACE_NS, clock, stopped.signal, answered.signal);
      return await Promise.race([reply, late]);
    } finally {
      answered.abort();
    }
  };
  const renew = () => {
    stopped = new AbortController();
  };
  let windowNs = 0;
  return {
    ...generator,
    prepare: (order) => {
      renew();
      windowNs = order.window.ns + endingNs(order);
      return within(openingNs(order), generator.prepare(order));
    },
    open: (atNs) => within(windowNs, generator.open(atNs)),
    interleave: (interleaving) => {
      renew();
      const { orders, blocks, leadIn } = interleaving;
      const all = blocks.length + leadIn.blocks.length;
      // The last round of a turn may be waited for as long as the server's rest.
      const drainsNs = orders.map(({ drainCapNs, wholeRounds }) => {
        return wholeRounds ? 2 * drainCapNs : drainCapNs;
      });
      const longestDrainNs = Math.max(0, ...drainsNs);
      const once = orders.reduce((ns, order) => {
        const turnsNs = (order.window.ns * all) / blocks.length;
        return ns + openingNs(order) + turnsNs + order.timeoutNs + order.quietCapNs;
      }, 0);
      const turns = [...blocks, ...leadIn.blocks].flat().length;
      return within(once + turns * longestDrainNs, generator.interleave(interleaving));
    },
    begin: (order) => {
      renew();
      lasting = order;
      return generator.begin(order);
    },
    batch: (window) => within(window.ns + (lasting?.timeoutNs ?? 0), generator.batch(window)),
    end: () => within(lasting === null ? 0 : endingNs(lasting), generator.end()),
    stop: () => {
      stopped.abort();
      generator.stop();
    },
  };
}

/** Until every connection has been answered. */
function openingNs(order: Order): number {
  const { timeoutNs } = order;
  if (order.kind === 'open' || order.opening.when === 'at once') return timeoutNs;
  return timeoutNs + order.opening.capNs + order.opening.settleNs;
}

/** From the last request until the server is idle. */
function endingNs({ timeoutNs, drainCapNs }: Order | LastingOrder): number {
  return timeoutNs + drainCapNs;
}

/** @throws GeneratorError when no answer has come within so many ns, or soon after the stop. */
async function throwAfter(
  ns: number,
  clock: Clock,
  stopped: AbortSignal,
  answered: AbortSignal,
): Promise<never> {
  let allowedNs = ns;
  try {
    await clock.sleep(ns, AbortSignal.any([stopped, answered]));
  } catch (error) {
    if (!stopped.aborted || answered.aborted) throw error;
    allowedNs = STOP_NS;
    await clock.sleep(STOP_NS, answered);
  }
  throw new GeneratorError(
    `the load generator did not answer within ${Math.round(allowedNs / 1e9)} s`,
    'See whether something stopped it or keeps the CPU from it, and run again.',
  );
}
