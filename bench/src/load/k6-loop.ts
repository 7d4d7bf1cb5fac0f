import { now, until } from './clock.ts';
import { drain } from './drain.ts';
import { readEdge, readMemoryOf, usedBetween } from './edge.ts';
import { encode, fromQuantiles } from './histogram.ts';
import type { Job } from './job.ts';
import { type K6Loop, type K6Told, type K6Trend, startK6 } from './k6.ts';
import type { Pace } from './measurement.ts';
import { LATE_NS } from './pace-tally.ts';
import type { Order, Outcome } from './protocol.ts';

/**
 * How long requests leave before the window opens, ns. k6 takes its virtual users in turn, each with a
 * connection of its own: of so many as begin in this time all have theirs by then, and answers that
 * take as long drop nothing.
 */
const RAMP_NS = 1e9;

/** k6 tells no distribution but by its quantiles; the middle of each thousandth. */
const QUANTILES = Array.from({ length: 1000 }, (_, index) => `p(${(index + 0.5) / 10})`);

/**
 * Carries out an order that sends requests at a rate, by k6's constant-arrival-rate.
 *
 * Latency counts from the planned instant, as the pacer's does: request i is planned at start + i / rate,
 * and k6's progress since its start is a clock that has ns. But k6 numbers only the requests that it
 * begins: once it has dropped one, nobody can tell what was planned when, so the lateness is unknown and
 * latency counts from the instant at which k6 began the request.
 */
export async function k6Loop(
  order: Order & { ratePerS: number },
  { stopped, ready }: Job,
): Promise<Outcome> {
  const startedNs = now();
  await using k6 = await startK6(loopOf(order));
  const refused = new AbortController();
  k6.asked('refused').then(() => refused.abort());
  const over = AbortSignal.any([stopped, refused.signal, k6.ended]);
  const ending = async (): Promise<Outcome> => {
    if (stopped.aborted) return { kind: 'stopped' };
    if (refused.signal.aborted) return { kind: 'refused' };
    await k6.told();
    throw new Error('k6 ended before its time');
  };
  const asked = async (question: 'ready' | 'over') => {
    return await Promise.race([k6.asked(question), aborted(over)]);
  };

  const begin = await asked('ready');
  if (begin === null) return ending();
  await until(await ready(), over);
  begin();
  await until(now() + RAMP_NS, over);
  if (over.aborted) return ending();
  const own = [process.pid, k6.pid];
  const opened = await readEdge(now(), order.pids, own);
  await until(opened.atNs + order.windowNs, over);
  if (over.aborted) return ending();
  const closed = await readEdge(now(), order.pids, own);
  const memory = await readMemoryOf(order.pids);
  const end = await asked('over');
  if (end === null) return ending();
  end();
  const { all, window, ...told } = await k6.told();
  return {
    kind: 'measured',
    measurement: {
      warmupNs: opened.atNs - startedNs,
      warmupCapped: false,
      ...usedBetween(opened, closed),
      window: { ...countsOf(window), bytes: window.data_received },
      halfway: null,
      generators: 1,
      ...(await drain(order)),
      ledger: { ...countsOf(all), inFlight: all.sent - all.iterations },
      latencyHistogram: histogramOf(hasPlan(all) ? told.latency : told.response, window.ok),
      agesHistograms: null,
      memory,
      pace: paceOf(order, { all, window, ...told }),
      series: [],
      turns: { all: 0, empty: 0, idleNs: 0 },
    },
  };
}

function loopOf(order: Order & { ratePerS: number }): K6Loop {
  const { origin, request, expect, ratePerS, connections } = order;
  return {
    ...{ origin, request, expect },
    periodNs: Math.round(1e9 / ratePerS),
    rampMs: RAMP_NS / 1e6,
    durationMs: (RAMP_NS + order.windowNs) / 1e6,
    timeoutMs: order.timeoutNs / 1e6,
    lateMs: LATE_NS / 1e6,
    preAllocatedVUs: Math.min(connections, Math.ceil((ratePerS * RAMP_NS) / 1e9)),
    maxVUs: connections,
    quantiles: QUANTILES,
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
  { windowNs, ratePerS }: Pick<Order, 'windowNs'> & { ratePerS: number },
  { all, window: { sent, late }, lateness }: K6Told,
): Pace {
  // Of what it dropped k6 does not tell when: in the window, as many as are missing there.
  const missing = Math.max(0, Math.round((windowNs * ratePerS) / 1e9) - sent);
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
