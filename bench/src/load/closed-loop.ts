import type { Socket } from 'node:net';
import { type Client, type Connections, openConnections } from './autocannon.ts';
import { now, until, untilFirst } from './clock.ts';
import { isRefusal } from './connection-error.ts';
import { Ledger } from './ledger.ts';
import { REFUSED } from './loop.ts';
import { RequestCursors } from './mix.ts';
import { type EndlessOrder, opensAtOnce } from './protocol.ts';
import { countedOf, Tally } from './tally.ts';

export type ClosedLoop = ReturnType<typeof closedLoop>;

/**
 * Keeps a fixed number of requests in flight. Each connection continues in the mix where `cursors` has it; where whole
 * rounds are to be sent, the connections take turns in one. The load can pause, with its connections open.
 */
export function closedLoop(order: EndlessOrder, cursors = new RequestCursors()) {
  const { connections, turnNs, requests } = order;
  const refused = new AbortController();
  const ledger = new Ledger();
  const turns = { ...NO_TURNS };
  const turn = () => (turnNs === null ? null : keepTurning(turnNs, turns, ledger));
  let stopTurning = turn();
  let window = new Tally(requests.length);
  const shared = order.wholeRounds ? cursors.ofOne(order) : null;
  const own = shared ? Array.from({ length: connections }, () => shared) : cursors.of(order);
  const unused = [...own];
  const underLoad: Connections[] = [];
  let refusals = 0;
  let allAnswered = true;
  /** Opens this many connections. */
  const open = (count: number): Client[] => {
    const clients: Client[] = [];
    const onError = (error: Error) => {
      if (isRefusal(error) && ++refusals >= count) refused.abort(REFUSED);
    };
    const follow = (client: Client) => {
      clients.push(client);
      return { ...ledger.follow(client), onError };
    };
    underLoad.push(openConnections(order, unused.splice(0, count), follow));
    return clients;
  };
  const stop = async () => {
    stopTurning?.();
    for (const each of underLoad) each.close();
  };

  return {
    broken: refused.signal,
    get window() {
      return window;
    },
    begin: async (over: AbortSignal) => {
      await openGently(order, open, ledger, over);
      allAnswered = opensAtOnce(order) || ledger.answeredClients === connections;
    },
    openWindow: (atNs: number) => {
      window = ledger.openWindow(requests.length);
      Object.assign(turns, NO_TURNS);
      if (!opensAtOnce(order) || underLoad.length > 0) return atNs;
      // The first requests of a window that opens at once are part of it, and its length counts from them.
      open(connections);
      return now();
    },
    /** Requests answered from the first connection on, right or wrong. */
    answered: () => ledger.answered,
    /** Resolves once this holds, which is checked whenever a request ends; one at a time. */
    until: (holds: () => boolean) => ledger.until(holds),
    closeWindow: (atNs: number) => {
      ledger.closeWindow(atNs);
      stopTurning?.();
    },
    /**
     * Sends nothing more. Resolves once everything that was sent is answered, at this instant at the latest, or
     * when `over` is aborted; to whether it is.
     */
    pause: async (deadlineNs: number, over: AbortSignal) => {
      ledger.hold();
      const isIdle = () => ledger.inFlight === 0;
      await untilFirst(deadlineNs, ledger.until(isIdle), over);
      stopTurning?.();
      return isIdle();
    },
    /** Puts the load on again, after a pause in which everything was answered. */
    resume: () => {
      stopTurning = turn();
      ledger.release();
    },
    /**
     * Sends until whole rounds of the requests have been sent since the load was put on, and nothing after that.
     * Resolves then, at this instant, or when `over` is aborted; a pause is to follow.
     */
    untilWhole: async (deadlineNs: number, over: AbortSignal) => {
      if (shared !== null) await untilFirst(deadlineNs, ledger.holdAfterRound(shared.round), over);
    },
    stop,
    counted: () => {
      const warmupCapped = !allAnswered;
      return countedOf(ledger, window, { warmupCapped, pace: null, turns: { ...turns } });
    },
    [Symbol.asyncDispose]: async () => {
      await stop();
      await Promise.all(underLoad.map(({ ended }) => ended));
    },
  };
}

/**
 * Opens all connections in batches that send nothing yet, and waits until all are open and answered, or for as long
 * as it may; opens nothing where the window opens at once. A Node server accepts one connection in each turn of its
 * event loop: once it is busy, a turn takes 10 ms, and the last of 1,000 connections would wait for seconds.
 */
async function openGently(
  { connections, opening }: EndlessOrder,
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
 * Resolves once the server has accepted these clients. It accepts in order, so an answer to the last one shows
 * that it has.
 */
async function accepted(clients: readonly Client[], ledger: Ledger): Promise<void> {
  const happens = (conn: Socket, ...events: string[]) => {
    return Promise.race(events.map((event) => new Promise((resolve) => conn.once(event, resolve))));
  };
  await Promise.all(clients.map(({ conn }) => happens(conn, 'connect', 'close')));
  const last = clients.at(-1);
  if (last === undefined) return;
  const before = ledger.answeredClients;
  ledger.releaseOne(last);
  const answered = ledger.until(() => ledger.answeredClients > before);
  await Promise.race([answered, happens(last.conn, 'close')]);
}

const NO_TURNS = { all: 0, empty: 0, idleNs: 0 };

/**
 * Keeps the event loop turning, no turn shorter than this, until the returned function is called. Counts the turns, and
 * those that brought no answer.
 */
function keepTurning(
  turnNs: number,
  turns: typeof NO_TURNS,
  ledger: Pick<Ledger, 'answered'>,
): () => void {
  let isOn = true;
  let answeredBefore = 0;
  let beforeMs = performance.now();
  const turn = () => {
    if (!isOn) return;
    const doneMs = performance.now();
    let nowMs = doneMs;
    while ((nowMs - beforeMs) * 1e6 < turnNs) nowMs = performance.now();
    const isEmpty = ledger.answered === answeredBefore;
    turns.all++;
    if (isEmpty) turns.empty++;
    turns.idleNs += (nowMs - (isEmpty ? beforeMs : doneMs)) * 1e6;
    answeredBefore = ledger.answered;
    beforeMs = nowMs;
    setImmediate(turn);
  };
  setImmediate(turn);
  return () => {
    isOn = false;
  };
}
