import { now, until } from './clock.ts';
import { encode, fromQuantiles } from './histogram.ts';
import { type K6Told, type K6Trend, startK6 } from './k6.ts';
import type { Counted, Loop } from './loop.ts';
import type { Pace } from './measurement.ts';
import type { RequestCursor, RequestCursors } from './mix.ts';
import { LATE_NS } from './pace-tally.ts';
import type { OpenOrder } from './protocol.ts';

/**
 * How long requests leave before the window opens, ns. k6 takes its virtual users in turn, each with a
 * connection of its own: of so many as begin in this time all have theirs by then, and answers that
 * take as long drop nothing.
 */
const RAMP_NS = 1e9;

/** k6 tells no distribution but by its quantiles; the middle of each thousandth. */
const QUANTILES = Array.from({ length: 1000 }, (_, index) => `p(${(index + 0.5) / 10})`);

/**
 * Sends requests at a rate, by k6's constant-arrival-rate.
 *
 * Latency counts from the planned instant, as the pacer's does: request i is planned at start + i / rate,
 * and k6's progress since its start is a clock that has ns. But k6 numbers only the requests that it
 * begins: once it has dropped one, nobody can tell what was planned when, so the lateness is unknown and
 * latency counts from the instant at which k6 began the request.
 */
export async function k6Loop(order: OpenOrder, cursors: RequestCursors): Promise<Loop> {
  const cursor = cursors.ofOne(order);
  const k6 = await startK6(planOf(order, cursor));
  const refused = new AbortController();
  k6.asked('refused').then(() => refused.abort());
  const asked = async (question: 'ready' | 'over', over: AbortSignal) => {
    return await Promise.race([k6.asked(question), aborted(over)]);
  };
  let told: K6Told | null = null;
  return {
    senders: [k6.pid],
    broken: AbortSignal.any([refused.signal, k6.ended]),
    whyBroken: async () => {
      if (refused.signal.aborted) return 'refused';
      await k6.told();
      throw new Error('k6 ended before its time');
    },
    begin: async (ready, over) => {
      const begin = await asked('ready', over);
      await ready();
      begin?.();
      await until(now() + RAMP_NS, over);
    },
    openWindow: (atNs) => atNs,
    okSoFar: () => null,
    closeWindow: () => {},
    stop: async (over) => {
      const end = await asked('over', over);
      if (end === null) return false;
      end();
      told = await k6.told();
      // k6 went through the mix by itself, from where the cursor was.
      for (let sent = 0; sent < told.all.sent; sent++) cursor.next();
      return true;
    },
    counted: () => {
      if (told === null) throw new Error('k6 was not stopped');
      return countedOf(order, told);
    },
    [Symbol.asyncDispose]: () => k6[Symbol.asyncDispose](),
  };
}

/** What the script is told: to send one request in every period, from the start of the ramp on. */
function planOf(order: OpenOrder, cursor: RequestCursor) {
  const { origin, requests, ratePerS, connections } = order;
  return {
    origin,
    // No body is expected where any will do.
    exchanges: requests.map(({ request, answer }) => ({
      request: { ...request, body: request.body?.data ?? null },
      expect: { status: answer.status, body: answer.body?.data ?? null },
    })),
    // Places of exchanges, in the order in which they come, again and again.
    mix: cursor.ahead(),
    periodNs: Math.round(1e9 / ratePerS),
    rampMs: RAMP_NS / 1e6,
    // Of ramp and window together.
    durationMs: (RAMP_NS + order.window.ns) / 1e6,
    timeoutMs: order.timeoutNs / 1e6,
    lateMs: LATE_NS / 1e6,
    // Virtual users, each of which has at most one request under way: from the start, and at most.
    preAllocatedVUs: Math.min(connections, Math.ceil((ratePerS * RAMP_NS) / 1e9)),
    maxVUs: connections,
    quantiles: QUANTILES,
  };
}

function countedOf(order: OpenOrder, told: K6Told): Counted {
  const { all, window, answers, latency, response } = told;
  return {
    warmupCapped: false,
    window: { ...countsOf(window), bytes: window.data_received },
    ledger: { ...countsOf(all), inFlight: all.sent - all.iterations },
    requests: order.requests.length > 1 ? answers : [],
    latencyHistogram: histogramOf(hasPlan(all) ? latency : response, window.ok),
    agesHistograms: null,
    pace: paceOf(order, told),
    turns: { all: 0, empty: 0, idleNs: 0 },
  };
}

function countsOf({ sent, ok, wrongStatus, wrongBody, timedOut, disconnected }: K6Told['all']) {
  return { sent, ok, wrongStatus, wrongBody, timedOut, disconnected };
}

/** Whether the number of a request is that of its planned instant. */
function hasPlan(all: K6Told['all']): boolean {
  return all.dropped_iterations === 0;
}

function paceOf(
  { window: { ns }, ratePerS }: OpenOrder,
  { all, window: { sent, late }, lateness }: K6Told,
): Pace {
  // Of what it dropped k6 does not tell when: in the window, as many as are missing there.
  const missing = Math.max(0, Math.round((ns * ratePerS) / 1e9) - sent);
  const dropped = Math.min(all.dropped_iterations, missing);
  return {
    planned: sent + dropped,
    dropped,
    lateness: hasPlan(all) ? { late, histogram: histogramOf(lateness, sent) } : null,
  };
}

function histogramOf({ quantiles, max }: K6Trend, count: number): string {
  const ns = (ms: number) => ms * 1e6;
  return encode(fromQuantiles(count, quantiles.map(ns), ns(max)));
}

/** Resolves to null once it is aborted. */
function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
}
