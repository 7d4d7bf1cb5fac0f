/** What k6's script is told, and what it prints. */
import { z } from 'zod';
import type { OpenOrder } from './protocol.ts';
import { type Counted, countedOf, encode, PaceTally } from './tally.ts';

/**
 * How long requests leave before the window opens, ns. k6 takes its virtual users in turn, each with a
 * connection of its own: by then all that begin in this time have theirs, and answers that
 * take as long drop nothing.
 */
export const RAMP_NS = 1e9;

/** The plan for the scripts: to send one request in every period, from the start of the ramp on. */
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
    // Indices of exchanges, in the order in which they are sent, again and again.
    mix,
    periodNs: Math.round(1e9 / ratePerS),
    rampNs: RAMP_NS,
    // Of ramp and window together.
    durationNs: RAMP_NS + order.window.ns,
    timeoutMs: order.timeoutNs / 1e6,
    // Virtual users, each of which has at most one request in flight: from the start, and at most.
    preAllocatedVUs: Math.min(connections, Math.ceil((ratePerS * RAMP_NS) / 1e9)),
    maxVUs: connections,
  };
}

const ENDINGS = ['ok', 'wrongStatus', 'wrongBody', 'timedOut', 'disconnected'] as const;

const summarySchema = z.object({
  /** Requests that never began, because no virtual user was free. */
  dropped: z.int().min(0),
  /** Bytes received in the window. */
  bytes: z.number().min(0),
});

/** A request that k6 sent, as it saw it; times are in ns since the start of the ramp. */
export interface K6Request {
  /** The number of its planned instant, among all that one k6 or several had planned. */
  number: number;
  begunNs: number;
  /** How it ended, and its index among those of the order; null where it was cut off. */
  end: { ns: number; place: number; ending: (typeof ENDINGS)[number] } | null;
}

/** What k6 prints once it is over. */
export interface K6Output extends z.infer<typeof summarySchema> {
  requests: K6Request[];
}

/** Parses the summary of k6, followed by its console. @throws for anything else. */
export function parseOutput(stdout: string): K6Output {
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
 * What became of the requests of all these k6; null stands for one that is lost, with its share of what was planned.
 * Times count from the planned instant, `number` × `periodNs`. Once k6 has dropped a request it gives the number of
 * its instant to a later one: then the lateness is unknown, and times count from the instant at which k6 began a request.
 */
export function countedBy(
  outputs: readonly (K6Output | null)[],
  { exchanges: { length }, periodNs, rampNs, durationNs }: ReturnType<typeof planOf>,
): Counted {
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
  // k6 does not tell when it dropped a request: in the window, as many as are missing there.
  const droppedInWindow = Math.min(dropped, Math.max(0, planned - lost - sent));
  const lateness = { late: window.late, histogram: encode(window.lateness) };
  return countedOf(all, window, {
    pace: {
      planned: sent + droppedInWindow + lost,
      dropped: droppedInWindow,
      lost,
      lateness: hasPlan ? lateness : null,
    },
  });
}
