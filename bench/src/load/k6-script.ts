import { z } from 'zod';
import type { OpenOrder } from './protocol.ts';
import { encode, type LoopCounts, loopCounts, PaceTally } from './tally.ts';

/** How long requests leave before the window opens, ns: k6's virtual users take turns, and so get their connections. */
export const RAMP_NS = 1e9;

type K6Load = Pick<
  OpenOrder,
  'origin' | 'requests' | 'ratePerS' | 'connections' | 'window' | 'timeoutNs'
>;

/** The plan for the script: one request in every period, from the start of the ramp on. */
export function planOf(load: K6Load, mix: readonly number[]) {
  const { origin, requests, ratePerS, connections } = load;
  return {
    origin,
    // A body of null means that any will do.
    exchanges: requests.map(({ request, answer }) => ({
      request: { ...request, body: request.body?.data ?? null },
      expect: { status: answer.status, body: answer.body?.data ?? null },
    })),
    // The indices of the exchanges in their order, repeated.
    mix,
    periodNs: Math.round(1e9 / ratePerS),
    rampNs: RAMP_NS,
    durationNs: RAMP_NS + load.window.ns,
    timeoutMs: load.timeoutNs / 1e6,
    // Virtual users, from the start and at most; each has one request in flight.
    preAllocatedVUs: Math.min(connections, Math.ceil((ratePerS * RAMP_NS) / 1e9)),
    maxVUs: connections,
  };
}

const ENDINGS = ['ok', 'wrongStatus', 'wrongBody', 'timedOut', 'disconnected'] as const;

const summarySchema = z.object({
  /** Requests that were never sent because no virtual user was free. */
  dropped: z.int().min(0),
  /** Bytes received in the window. */
  bytes: z.number().min(0),
});

/** A request that k6 sent; times are ns since the start of the ramp. */
export interface K6Request {
  /** The number of its planned instant in the whole load. */
  number: number;
  begunNs: number;
  /** How it ended, and its index in the order; null if it was cut off. */
  end: { ns: number; place: number; ending: (typeof ENDINGS)[number] } | null;
}

export type K6Output = ReturnType<typeof parseOutput>;

/** Parses k6's summary, followed by its console. @throws for anything else. */
export function parseOutput(stdout: string) {
  try {
    const [summary = '', ...lines] = stdout.trimEnd().split('\n');
    const requests = new Map<number, K6Request>();
    for (const line of lines) parseLine(line, requests);
    return { ...summarySchema.parse(JSON.parse(summary)), requests: [...requests.values()] };
  } catch (cause) {
    throw new Error(`k6 ended without figures: ${JSON.stringify(stdout.slice(0, 100))}`, { cause });
  }
}

/** `+ number ns` for a request that was sent, `- number ns place ending` for one that has ended. */
function parseLine(line: string, requests: Map<number, K6Request>): void {
  const [, sign, ...fields] = /^([+-]) (\d+) (\d+)(?: (\d+) (\w+))?$/.exec(line) ?? [];
  const [number = 0, ns = 0, place] = fields.slice(0, 3).map(Number);
  const ending = ENDINGS.find((each) => each === fields[3]);
  const known = requests.get(number);
  if (sign === '+' && fields[2] === undefined && known === undefined) {
    requests.set(number, { number, begunNs: ns, end: null });
  } else if (sign === '-' && place !== undefined && ending !== undefined && known?.end === null) {
    known.end = { ns, place, ending };
  } else {
    throw new Error(`no line of a request: ${line}`);
  }
}

/**
 * Counts the requests of all these k6 processes; null is one that was lost, with its share of the plan. Times count
 * from the planned instant, `number` × `periodNs`. But once k6 has dropped a request, it gives its number to a later
 * one: then the lateness is unknown, and times count from the start of each request.
 */
export function countedBy(
  outputs: readonly (K6Output | null)[],
  { exchanges: { length }, periodNs, rampNs, durationNs }: ReturnType<typeof planOf>,
): LoopCounts {
  const known = outputs.filter((each) => each !== null);
  const dropped = known.reduce((sum, each) => sum + each.dropped, 0);
  const hasPlan = dropped === 0;
  const [all, window] = [new PaceTally(length), new PaceTally(length)];
  const inFlightNs: number[] = [];
  for (const { number, begunNs, end } of known.flatMap(({ requests }) => requests)) {
    const plannedNs = number * periodNs;
    const fromNs = hasPlan ? plannedNs : begunNs;
    const isInWindow = begunNs >= rampNs;
    for (const tally of isInWindow ? [all, window] : [all]) {
      tally.sent();
      tally.left(Math.max(0, begunNs - plannedNs));
      if (end === null) tally.inFlight++;
      else tally.ended(end.ending, end.ns - fromNs, end.place);
    }
    if (end === null && isInWindow) inFlightNs.push(durationNs - fromNs);
  }
  window.close(inFlightNs);
  window.bytes = known.reduce((sum, { bytes }) => sum + bytes, 0);
  const { sent } = window.counts;
  const planned = Math.round((durationNs - rampNs) / periodNs);
  const lost = Math.round((planned * (outputs.length - known.length)) / outputs.length);
  // k6 does not report when it dropped a request: the window has as many as are missing there.
  const droppedInWindow = Math.min(dropped, Math.max(0, planned - lost - sent));
  const lateness = { late: window.late, histogram: encode(window.lateness) };
  const pace = { planned: sent + droppedInWindow + lost, dropped: droppedInWindow, lost };
  return loopCounts(all, window, { pace: { ...pace, lateness: hasPlan ? lateness : null } });
}
