import type { Socket } from 'node:net';
import { type Client, type Connections, openConnections } from './autocannon.ts';
import { now, until, untilFirst } from './clock.ts';
import { drain } from './drain.ts';
import { Ledger } from './ledger.ts';
import { endingOf, isRefusal, type Job, measureWindow, REFUSED } from './loop.ts';
import { answersOf } from './measurement.ts';
import { RequestCursors } from './mix.ts';
import { type BatchWindow, type EndlessOrder, opensAtOnce, type Reply } from './protocol.ts';
import { loopCounts, Tally } from './tally.ts';

export type ClosedLoop = ReturnType<typeof closedLoop>;

/** Keeps a fixed number of requests in flight, and can pause with its connections open. */
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
  let warmupCapped = false;
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
      warmupCapped = !opensAtOnce(order) && ledger.answeredClients < connections;
    },
    openWindow: (atNs: number) => {
      window = ledger.openWindow(requests.length);
      Object.assign(turns, NO_TURNS);
      if (!opensAtOnce(order) || underLoad.length > 0) return atNs;
      // A window that opens at once has the very first requests, and its length counts from them.
      open(connections);
      return now();
    },
    answered: () => ledger.answered,
    until: (holds: () => boolean) => ledger.until(holds),
    closeWindow: (atNs: number) => {
      ledger.closeWindow(atNs);
      stopTurning?.();
    },
    /** Stops sending, and waits for the answers, until the deadline or `over`. Resolves to whether all have come. */
    pause: async (deadlineNs: number, over: AbortSignal) => {
      ledger.hold();
      const isIdle = () => ledger.inFlight === 0;
      await untilFirst(deadlineNs, ledger.until(isIdle), over);
      stopTurning?.();
      return isIdle();
    },
    resume: () => {
      stopTurning = turn();
      ledger.release();
    },
    /** Sends until all rounds since `resume` are whole, but no longer than the deadline or `over`. A pause follows. */
    untilWhole: async (deadlineNs: number, over: AbortSignal) => {
      if (shared !== null) await untilFirst(deadlineNs, ledger.holdAfterRound(shared.round), over);
    },
    stop,
    counted: () => loopCounts(ledger, window, { warmupCapped, pace: null, turns: { ...turns } }),
    [Symbol.asyncDispose]: async () => {
      await stop();
      await Promise.all(underLoad.map(({ ended }) => ended));
    },
  };
}

/**
 * Opens connections in batches that don't send yet, then waits until all are answered, up to the cap. A Node server
 * accepts one per turn of its event loop: under load a turn takes 10 ms, and the last of 1,000 would wait for seconds.
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

/** Resolves once the server has accepted these clients: it accepts in order, so an answer to the last one shows it. */
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

/** Keeps the event loop turning, each turn at least this long, until the returned function is called; counts turns. */
function keepTurning(turnNs: number, turns: typeof NO_TURNS, ledger: Ledger): () => void {
  let answeredBefore = 0;
  let beforeMs = performance.now();
  const turn = () => {
    const doneMs = performance.now();
    let nowMs = doneMs;
    while ((nowMs - beforeMs) * 1e6 < turnNs) nowMs = performance.now();
    const isEmpty = ledger.answered === answeredBefore;
    turns.all++;
    if (isEmpty) turns.empty++;
    turns.idleNs += (nowMs - (isEmpty ? beforeMs : doneMs)) * 1e6;
    answeredBefore = ledger.answered;
    beforeMs = nowMs;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  return () => clearImmediate(next);
}

/** Begins a load that keeps running while windows of it are measured. */
export async function beginBatches(order: EndlessOrder, { stopped, cursors, readings }: Job) {
  const loop = closedLoop(order, cursors);
  const over = AbortSignal.any([stopped, loop.broken]);
  await loop.begin(over);
  return {
    take: async ({ ns, answers }: BatchWindow): Promise<Reply> => {
      const isEnough = () => answers !== null && answersOf(loop.window.counts) >= answers;
      const used = await measureWindow(order, loop, readings, over, async (fromNs) => {
        await untilFirst(fromNs + ns, loop.until(isEnough), over);
      });
      if (used === null) return endingOf(loop, stopped);
      loop.resume();
      const { memory } = await readings.memory(order);
      const batch = {
        answers: answersOf(loop.window.counts),
        ns: used.windowNs,
        cpuNs: used.cpu.server.cpuNs,
        bytes: memory.server,
      };
      return { kind: 'batch', batch };
    },
    end: async () => {
      await loop[Symbol.asyncDispose]();
      // If the server is gone, the next measurement will notice.
      await drain(order, readings).catch(() => {});
    },
  };
}
