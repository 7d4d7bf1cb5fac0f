import type { Socket } from 'node:net';
import { type Client, type Connections, openConnections } from './autocannon.ts';
import { now, until, untilFirst } from './clock.ts';
import { isRefusal } from './connection-error.ts';
import { Counters } from './counters.ts';
import { encode } from './histogram.ts';
import type { Ledger } from './ledger.ts';
import type { Loop } from './loop.ts';
import { RequestCursors } from './mix.ts';
import { type LastingOrder, opensAtOnce } from './protocol.ts';

/** A load that can rest, with its connections open. */
export interface ClosedLoop extends Loop {
  /** Requests answered from the first connection on, as declared or not. */
  answered(): number;
  /** Resolves once so many have been. */
  untilAnswered(answers: number): Promise<void>;
  /**
   * Sends nothing more. Resolves once all that was sent is answered, at this instant at the latest, or
   * when `over` is aborted; to whether it is.
   */
  pause(deadlineNs: number, over: AbortSignal): Promise<boolean>;
  /** Puts the load on again, after a pause in which all was answered. */
  resume(): void;
  /**
   * Sends until whole rounds of the requests have been sent since the load was put on, and nothing more then.
   * Resolves when that is so, at this instant, or when `over` is aborted; to be followed by a pause.
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
  const shared = order.wholeRounds ? cursors.ofOne(order) : null;
  const rest = shared
    ? Array.from({ length: order.connections }, () => shared)
    : [...cursors.of(order)];
  const underLoad: Connections[] = [];
  let refusals = 0;
  let allAnswered = true;
  const open = (connections: number): Client[] => {
    const clients: Client[] = [];
    const onError = (error: Error) => {
      if (isRefusal(error) && ++refusals >= connections) refused.abort();
    };
    const follow = (client: Client) => {
      clients.push(client);
      return { ...ledger.follow(client), onError };
    };
    underLoad.push(openConnections(order, rest.splice(0, connections), follow));
    return clients;
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
      await openGently(order, open, ledger, over);
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
    untilAnswered: (answers) => ledger.until(() => ledger.answered >= answers),
    closeWindow: (atNs) => {
      counters.closeWindow(atNs);
      turns?.stop();
    },
    pause: async (deadlineNs, over) => {
      ledger.hold();
      await untilFirst(
        deadlineNs,
        ledger.until(() => ledger.inFlight === 0),
        over,
      );
      turns?.stop();
      return ledger.inFlight === 0;
    },
    resume: () => {
      turns = turn();
      ledger.release();
    },
    untilWhole: async (deadlineNs, over) => {
      if (shared !== null) await untilFirst(deadlineNs, ledger.holdAfterRound(shared.round), over);
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
 * Opens all connections in batches that send nothing yet, and waits until all are there and answered, or for as long
 * as it may; opens nothing where the window opens at once. A Node server accepts one connection in each turn of its
 * event loop: once it is busy, a turn takes 10 ms, and the last of 1,000 connections would wait for seconds.
 */
async function openGently(
  { connections, opening }: LastingOrder,
  open: (connections: number) => Client[],
  ledger: Ledger,
  over: AbortSignal,
): Promise<void> {
  if (opening.when === 'at once') return;
  const deadlineNs = now() + opening.capNs;
  ledger.hold();
  for (let opened = 0; opened < connections; opened += opening.batch) {
    const clients = open(Math.min(opening.batch, connections - opened));
    await untilFirst(deadlineNs, accepted(clients, ledger), over);
  }
  ledger.release();
  const allAnswered = ledger.until(() => ledger.answeredClients >= connections);
  await untilFirst(deadlineNs, allAnswered, over);
  if (opening.settleNs > 0) await until(now() + opening.settleNs, over);
}

/**
 * Resolves once the server has accepted these clients: it accepts in order, so the last one may send, and its answer
 * tells.
 */
async function accepted(clients: readonly Client[], ledger: Ledger): Promise<void> {
  const conns = clients.map(({ conn }) => conn);
  await Promise.all(
    conns.map((conn) => Promise.race([happens(conn, 'connect'), happens(conn, 'close')])),
  );
  const last = clients.at(-1);
  if (last === undefined) return;
  const before = ledger.answeredClients;
  ledger.releaseOne(last);
  await Promise.race([
    ledger.until(() => ledger.answeredClients > before),
    happens(last.conn, 'close'),
  ]);
}

function happens(conn: Socket, event: 'connect' | 'close'): Promise<void> {
  return new Promise((resolve) => conn.once(event, () => resolve()));
}
