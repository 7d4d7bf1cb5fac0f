import type { Clock } from './clock.ts';
import { type Generator, GeneratorError } from './generator.ts';
import type { Command, EndlessOrder, Interleaving, Order } from './protocol.ts';

/** What a generator may take beyond its order: the machine may be busy, or a driver slow to start. */
const GRACE_NS = 30e9;
/** What it may take to stop. */
const STOP_NS = 10e9;

/** A generator whose replies are errors when they come later than their command, or a stop, can take. */
export function withDeadlines(generator: Generator, clock: Clock): Generator {
  let stopped = new AbortController();
  let order: Order | EndlessOrder | null = null;
  /** @throws GeneratorError when no answer comes within this time, or within `STOP_NS` of the stop. */
  const timeOut = async (ns: number, answered: AbortSignal): Promise<never> => {
    const { signal } = stopped;
    let allowedNs = ns;
    try {
      await clock.sleep(ns, AbortSignal.any([signal, answered]));
    } catch (error) {
      if (!signal.aborted || answered.aborted) throw error;
      allowedNs = STOP_NS;
      await clock.sleep(STOP_NS, answered);
    }
    throw new GeneratorError(
      `the load generator did not answer within ${Math.round(allowedNs / 1e9)} s`,
      'See whether something stopped it or keeps the CPU from it, and run again.',
    );
  };
  return {
    ...generator,
    ask: async (command) => {
      if ('order' in command) ({ order } = command);
      if ('order' in command || command.kind === 'interleave') stopped = new AbortController();
      const answered = new AbortController();
      const timedOut = timeOut(longestNs(command, order) + GRACE_NS, answered.signal);
      try {
        return await Promise.race([generator.ask(command), timedOut]);
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

/** The longest that a command can take after this order, ns. */
function longestNs(command: Command, order: Order | EndlessOrder | null): number {
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

/** Each order opens, takes its turns and ends once; any turn may drain for as long as the longest drain. */
function interleavingNs({ orders, blocks, leadIn }: Interleaving): number {
  const all = [...blocks, ...leadIn.blocks];
  // The last round may take as long as the drain after it.
  const drainsNs = orders.map(({ drainCapNs, wholeRounds }) => drainCapNs * (wholeRounds ? 2 : 1));
  const turnsNs = all.flat().length * Math.max(0, ...drainsNs);
  return orders.reduce((ns, order) => {
    const windowsNs = (order.window.ns * all.length) / blocks.length;
    return ns + openingNs(order) + windowsNs + order.timeoutNs + order.quietCapNs;
  }, turnsNs);
}

function openingNs(order: Order): number {
  const { timeoutNs } = order;
  if (order.kind === 'open' || order.opening.when === 'at once') return timeoutNs;
  return timeoutNs + order.opening.capNs + order.opening.settleNs;
}
