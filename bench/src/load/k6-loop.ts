import { settled } from '../launch/endings.ts';
import { now, until } from './clock.ts';
import { type K6, startK6 } from './k6.ts';
import { type K6Schedule, type K6Told, tallyOf } from './k6-told.ts';
import type { Counted, Loop } from './loop.ts';
import type { RequestCursors } from './mix.ts';
import { countedOf } from './pace-tally.ts';
import type { OpenOrder } from './protocol.ts';

/**
 * How long requests leave before the window opens, ns. k6 takes its virtual users in turn, each with a
 * connection of its own: of so many as begin in this time all have theirs by then, and answers that
 * take as long drop nothing.
 */
const RAMP_NS = 1e9;
/** So long may another host take until its k6 can begin, and from its end until it has told all, ns. */
const ANSWER_NS = 20e9;

/**
 * Sends requests at a rate, by k6's constant-arrival-rate: on this machine, or on these hosts, a segment of the load
 * each. A host that is lost once all have begun is left out, and its share of the requests is `lost`.
 *
 * Latency counts from the planned instant, as the pacer's does: request i is planned at start + i / rate,
 * and k6's progress since its start is a clock that has ns. But k6 numbers only the requests that it
 * begins: once it has dropped one, nobody can tell what was planned when, so the lateness is unknown and
 * latency counts from the instant at which k6 began the request.
 */
export async function k6Loop(
  order: OpenOrder,
  cursors: RequestCursors,
  hosts: readonly string[],
): Promise<Loop> {
  const cursor = cursors.ofOne(order);
  const plan = planOf(order, cursor.ahead());
  await using starting = new AsyncDisposableStack();
  const on = hosts.length === 0 ? [null] : hosts;
  const all = await settled(
    on.map(async (host, index) =>
      starting.use(await startK6(plan, { index, of: on.length, host })),
    ),
  );
  const started = starting.move();

  const refused = new AbortController();
  const ended = new AbortController();
  let state: 'starting' | 'begun' | 'stopping' = 'starting';
  for (const k6 of all) {
    k6.asked('refused').then(() => refused.abort());
    k6.ended.addEventListener('abort', () => {
      const isLast = all.every((each) => each.ended.aborted);
      if (state === 'starting' || (state === 'begun' && isLast)) ended.abort();
    });
  }
  let told: (K6Told | null)[] = [];
  return {
    senders: all.flatMap(({ pid }) => pid ?? []),
    broken: AbortSignal.any([refused.signal, ended.signal]),
    whyBroken: async () => {
      if (refused.signal.aborted) return 'refused';
      await Promise.all(all.filter((k6) => k6.ended.aborted).map((k6) => k6.told()));
      throw new Error('k6 ended before its time');
    },
    begin: async (ready, over) => {
      const late = AbortSignal.any([over, AbortSignal.timeout(ANSWER_NS / 1e6)]);
      const asked = await Promise.all(all.map((k6) => unless(late, k6.asked('ready'))));
      const silent = asked.indexOf(null);
      if (silent !== -1 && !over.aborted) throw notReady(on[silent] ?? null);
      await ready();
      state = 'begun';
      for (const begin of asked) begin?.();
      await until(now() + RAMP_NS, over);
    },
    openWindow: (atNs) => atNs,
    okSoFar: () => null,
    closeWindow: () => {},
    stop: async (over) => {
      state = 'stopping';
      const late = AbortSignal.any([over, AbortSignal.timeout(ANSWER_NS / 1e6)]);
      told = await Promise.all(all.map((k6) => toldBy(k6, late)));
      if (over.aborted) return false;
      // Where all are lost the first says why.
      if (told.every((each) => each === null)) told = [(await all[0]?.told()) ?? null];
      // k6 went through the mix by itself, from where the cursor was.
      for (const { requests } of told.filter((each) => each !== null)) {
        for (const _ of requests) cursor.next();
      }
      return true;
    },
    counted: () => countedBy(told, order, plan),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

/** What one tells at its end; null where it is lost before. */
async function toldBy(k6: K6, lost: AbortSignal): Promise<K6Told | null> {
  const end = await unless(lost, k6.asked('over'));
  if (end === null) return null;
  end();
  return await unless(
    lost,
    k6.told().catch(() => null),
  );
}

function notReady(host: string | null): Error {
  return new Error(
    `k6 ${host === null ? '' : `on ${host} `}was not ready within ${ANSWER_NS / 1e9} s`,
  );
}

/** What the scripts are told: to send one request in every period, from the start of the ramp on. */
export function planOf(
  order: Pick<
    OpenOrder,
    'origin' | 'requests' | 'ratePerS' | 'connections' | 'window' | 'timeoutNs'
  >,
  mix: readonly number[],
) {
  const { origin, requests, ratePerS, connections } = order;
  return {
    origin,
    // No body is expected where any will do.
    exchanges: requests.map(({ request, answer }) => ({
      request: { ...request, body: request.body?.data ?? null },
      expect: { status: answer.status, body: answer.body?.data ?? null },
    })),
    // Places of exchanges, in the order in which they come, again and again.
    mix,
    periodNs: Math.round(1e9 / ratePerS),
    rampNs: RAMP_NS,
    // Of ramp and window together.
    durationNs: RAMP_NS + order.window.ns,
    timeoutMs: order.timeoutNs / 1e6,
    // Virtual users, each of which has at most one request under way: from the start, and at most.
    preAllocatedVUs: Math.min(connections, Math.ceil((ratePerS * RAMP_NS) / 1e9)),
    maxVUs: connections,
  };
}

/** What all have counted; null stands for one that is lost, with its share of what was planned. */
export function countedBy(
  told: readonly (K6Told | null)[],
  { requests, ratePerS, window: { ns } }: Pick<OpenOrder, 'requests' | 'ratePerS' | 'window'>,
  schedule: K6Schedule,
): Counted {
  const known = told.filter((each) => each !== null);
  const dropped = sumOf(known, (each) => each.dropped);
  const hasPlan = dropped === 0;
  const sent = known.flatMap((each) => each.requests);
  const { all, window } = tallyOf(sent, hasPlan, schedule);
  const planned = Math.round((ns * ratePerS) / 1e9);
  const lost = Math.round((planned * (told.length - known.length)) / told.length);
  // Of what it dropped k6 does not tell when: in the window, as many as are missing there.
  const missing = Math.max(0, planned - lost - window.counts.sent);
  const droppedInWindow = Math.min(dropped, missing);
  const counted = countedOf(
    all,
    window,
    requests.length,
    sumOf(known, ({ bytes }) => bytes),
  );
  return {
    ...counted,
    pace: {
      planned: window.counts.sent + droppedInWindow + lost,
      dropped: droppedInWindow,
      lost,
      lateness: hasPlan ? counted.pace.lateness : null,
    },
  };
}

function sumOf(all: readonly K6Told[], of: (told: K6Told) => number): number {
  return all.reduce((sum, each) => sum + of(each), 0);
}

/** What this comes to; null where the signal is aborted first. */
async function unless<T>(signal: AbortSignal, promise: Promise<T>): Promise<T | null> {
  const aborted = Promise.withResolvers<null>();
  if (signal.aborted) return null;
  signal.addEventListener('abort', () => aborted.resolve(null), { once: true });
  return await Promise.race([promise, aborted.promise]);
}
