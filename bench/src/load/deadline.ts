import type { Clock } from './clock.ts';
import { type Generator, GeneratorError } from './generator.ts';
import type { Command, EndlessOrder, Interleaving, Order } from './protocol.ts';

/** A generator has this much longer than its order can take: the machine may be busy, or a driver slow to start. */
const GRACE_NS = 30e9;
/** It ends within this once it is told to stop. */
const STOP_NS = 10e9;

/**
 * A generator whose every reply comes within the longest time that its command can take, and soon once it
 * is told to stop; otherwise it hangs, and the reply is an error.
 */
export function withDeadlines(generator: Generator, clock: Clock): Generator {
  let stopped = new AbortController();
  let order: Order | EndlessOrder | null = null;
  return {
    ...generator,
    ask: async (command) => {
      if ('order' in command) ({ order } = command);
      if ('order' in command || command.kind === 'interleave') stopped = new AbortController();
      const answered = new AbortController();
      const ns = longestNs(command, order) + GRACE_NS;
      const late = throwAfter(ns, clock, stopped.signal, answered.signal);
      try {
        return await Promise.race([generator.ask(command), late]);
      } finally {
        answered.abort();
      }
    },
    stop: () => {
      stopped.abort();
      generator.stop();
    },
  };
}

/** The longest time that a command can take after this order, ns. */
function longestNs(command: Command, order: Order | EndlessOrder | null): number {
  // From the last request until the server is idle.
  const endingNs = order === null ? 0 : order.timeoutNs + order.drainCapNs;
  switch (command.kind) {
    case 'prepare':
      return openingNs(command.order);
    case 'open':
      return endingNs + (order !== null && 'window' in order ? order.window.ns : 0);
    case 'interleave':
      return interleavingNs(command.interleaving);
    case 'begin':
      return 0;
    case 'batch':
      return command.window.ns + (order?.timeoutNs ?? 0);
    case 'end':
      return endingNs;
  }
}

/** Each order has its opening, its turns, a time-out and its end once; any turn may drain for as long as the longest. */
function interleavingNs({ orders, blocks, leadIn }: Interleaving): number {
  const all = [...blocks, ...leadIn.blocks];
  // The last round of a turn may take as long as the drain after it.
  const drainsNs = orders.map(({ drainCapNs, wholeRounds }) => drainCapNs * (wholeRounds ? 2 : 1));
  const turnsNs = all.flat().length * Math.max(0, ...drainsNs);
  return orders.reduce((ns, order) => {
    const windowsNs = (order.window.ns * all.length) / blocks.length;
    return ns + openingNs(order) + windowsNs + order.timeoutNs + order.quietCapNs;
  }, turnsNs);
}

/** Until every connection has been answered. */
function openingNs(order: Order): number {
  const { timeoutNs } = order;
  if (order.kind === 'open' || order.opening.when === 'at once') return timeoutNs;
  return timeoutNs + order.opening.capNs + order.opening.settleNs;
}

/** @throws GeneratorError when no answer has come within this time, or soon after the stop. */
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
