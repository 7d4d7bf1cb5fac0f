import { codeOf } from '../base/errors.ts';
import {
  batches,
  type Client,
  ConnectBarrier,
  type Connections,
  openConnections,
  WriteHold,
} from './autocannon.ts';
import { now, until, untilFirst } from './clock.ts';
import { Counters } from './counters.ts';
import { encode } from './histogram.ts';
import type { Loop } from './loop.ts';
import { RequestCursors } from './mix.ts';
import { type LastingOrder, opensAtOnce } from './protocol.ts';

/** A load that can rest, with its connections open. */
export interface ClosedLoop extends Loop {
  /** Requests answered from the first connection on, as declared or not. */
  answered(): number;
  /** Resolves once so many answers have come since the window opened, as declared or not. */
  untilAnswers(answers: number): Promise<void>;
  /**
   * Sends nothing more. Resolves once all that was sent is answered, at this instant at the latest, or
   * when `over` is aborted; to whether it is.
   */
  pause(deadlineNs: number, over: AbortSignal): Promise<boolean>;
  /** Puts the load on again, after a pause in which all was answered. */
  resume(): void;
  /**
   * Sends until whole rounds of the requests have been sent since the load was put on, and nothing more then.
   * Resolves when that is so, at this instant, or when `over` is aborted.
   */
  untilWhole(deadlineNs: number, over: AbortSignal): Promise<void>;
}

/**
 * Keeps so many requests under way; each connection goes on in the mix where `cursors` has it, or all of them in
 * turn where whole rounds are to be sent.
 */
export async function closedLoop(
  order: LastingOrder,
  cursors = new RequestCursors(),
): Promise<ClosedLoop> {
  const refused = new AbortController();
  const counters = new Counters(order.requests.map(({ answer }) => answer.status));
  const { ledger, latency, ages } = counters;
  const turn = () => (order.turnNs === null ? null : counters.keepTurning(order.turnNs));
  let turns = turn();
  const hold = new WriteHold();
  const shared = order.wholeRounds ? cursors.ofOne(order) : null;
  const rest = shared
    ? Array.from({ length: order.connections }, () => shared)
    : [...cursors.of(order)];
  let sentBefore = 0;
  let whole: PromiseWithResolvers<void> | null = null;
  const holdBack = () => {
    hold.close();
    ledger.hold();
  };
  // What is about to be written when a round is complete is the first of the next one.
  const holdBackWhereWhole = () => {
    if (whole === null || shared === null) return;
    if ((ledger.counts.sent - sentBefore) % shared.round !== 0) return;
    holdBack();
    whole.resolve();
  };
  const underLoad: Connections[] = [];
  let refusals = 0;
  let allAnswered = true;
  const open = (connections: number, barrier?: ConnectBarrier) => {
    const onClient = (client: Client) => {
      barrier?.hold(client);
      client.on('request', holdBackWhereWhole);
      hold.follow(client);
      ledger.follow(client, () => client.answered);
      client.on('connError', (error: Error) => {
        if (codeOf(error) === 'ECONNREFUSED' && ++refusals >= connections) refused.abort();
      });
    };
    underLoad.push(openConnections(order, rest.splice(0, connections), onClient));
  };
  const close = () => {
    turns?.stop();
    for (const connections of underLoad) connections.close();
  };

  return {
    senders: [],
    broken: refused.signal,
    whyBroken: async () => 'refused',
    begin: async (ready, over) => {
      await openGently(order, open, (connections) => ledger.untilAnswered(connections), over);
      allAnswered = opensAtOnce(order) || ledger.answeredClients === order.connections;
      await ready();
    },
    openWindow: (atNs) => {
      counters.openWindow();
      if (!opensAtOnce(order) || underLoad.length > 0) return atNs;
      // What an unbroken load sends first is sent inside its window, whose length counts from then.
      open(order.connections);
      return now();
    },
    okSoFar: () => counters.okSoFar(),
    answered: () => ledger.answered,
    untilAnswers: (answers) => counters.untilAnswers(answers),
    closeWindow: (atNs) => {
      counters.closeWindow(atNs);
      turns?.stop();
    },
    pause: async (deadlineNs, over) => {
      holdBack();
      await untilFirst(deadlineNs, ledger.untilIdle(), over);
      turns?.stop();
      return ledger.inFlight === 0;
    },
    resume: () => {
      turns = turn();
      sentBefore = ledger.counts.sent;
      ledger.release();
      hold.open();
    },
    untilWhole: async (deadlineNs, over) => {
      whole = Promise.withResolvers();
      await untilFirst(deadlineNs, whole.promise, over);
      // Else a round that was not complete by then would end the next piece.
      whole = null;
    },
    stop: async () => {
      close();
      return true;
    },
    counted: () => ({
      warmupCapped: !allAnswered,
      ...counters.between(),
      ledger: { ...ledger.counts, inFlight: ledger.inFlight },
      latencyHistogram: encode(latency),
      agesHistograms: { lost: encode(ages.lost), inFlight: encode(ages.inFlight) },
      pace: null,
    }),
    [Symbol.asyncDispose]: async () => {
      close();
      await Promise.all(underLoad.map(({ ended }) => ended));
    },
  };
}

/**
 * Opens all connections in batches behind a gate, and waits until all are there and answered, or for
 * as long as it may; opens nothing where the window opens at once.
 */
async function openGently(
  { connections, opening }: LastingOrder,
  open: (connections: number, barrier: ConnectBarrier) => void,
  untilAnswered: (connections: number) => Promise<void>,
  over: AbortSignal,
): Promise<void> {
  if (opening.when === 'at once') return;
  const deadlineNs = now() + opening.capNs;
  const barrier = new ConnectBarrier();
  for (const batch of batches(connections, opening.batch)) {
    open(batch, barrier);
    await untilFirst(deadlineNs, barrier.accepted(), over);
  }
  barrier.open();
  await untilFirst(deadlineNs, untilAnswered(connections), over);
  if (opening.settleNs > 0) await until(now() + opening.settleNs, over);
}
