/** What k6 printed: what became of each of its requests. */
import { z } from 'zod';
import { type Ending, PaceTally } from './pace-tally.ts';

const ENDINGS = ['ok', 'wrongStatus', 'wrongBody', 'timedOut', 'disconnected'] as const;

const summarySchema = z.object({
  /** Requests that never began, because no virtual user was free. */
  dropped: z.int().min(0),
  /** Bytes received in the window. */
  bytes: z.number().min(0),
});

/** A request that k6 sent, as it saw it; times are in ns since the start of the ramp. */
export interface K6Request {
  /** Of its planned instant, among all that one k6 or several had planned. */
  number: number;
  begunNs: number;
  /** How it ended, and its place among those of the order; null where it was cut off. */
  end: { ns: number; place: number; ending: Ending } | null;
}

/** What k6 tells once it is over. */
export interface K6Told extends z.infer<typeof summarySchema> {
  requests: K6Request[];
}

/** Reads what k6, and then its console, printed. @throws for what is none of that. */
export function parseTold(stdout: string): K6Told {
  try {
    const [summary = '', ...lines] = stdout.trimEnd().split('\n');
    const requests = new Map<number, K6Request>();
    for (const line of lines) readLine(line, requests);
    return { ...summarySchema.parse(JSON.parse(summary)), requests: [...requests.values()] };
  } catch (cause) {
    throw new Error(`k6 ended without figures: ${JSON.stringify(stdout.slice(0, 100))}`, { cause });
  }
}

/** `+ number ns` for a request that was sent, `- number ns place ending` for one that has ended. */
function readLine(line: string, requests: Map<number, K6Request>): void {
  const [, sign, number, ns, place, word] =
    /^([+-]) (\d+) (\d+)(?: (\d+) (\w+))?$/.exec(line) ?? [];
  const ending = ENDINGS.find((each) => each === word);
  const known = requests.get(Number(number));
  if (sign === '+' && place === undefined && known === undefined) {
    requests.set(Number(number), { number: Number(number), begunNs: Number(ns), end: null });
  } else if (sign === '-' && ending !== undefined && known?.end === null) {
    known.end = { ns: Number(ns), place: Number(place), ending };
  } else {
    throw new Error(`no line of a request: ${line}`);
  }
}

/** When requests were planned, and from when to when they are the window's, ns since the start of the ramp. */
export interface K6Schedule {
  periodNs: number;
  rampNs: number;
  durationNs: number;
}

/**
 * What became of these requests, in all and of those that began in the window. Times count from the planned instant,
 * `number` × `periodNs`; where one was dropped, after which k6 numbers others as it does those, from the instant at which k6 began
 * the request.
 */
export function tallyOf(
  requests: readonly K6Request[],
  hasPlan: boolean,
  { periodNs, rampNs, durationNs }: K6Schedule,
): { all: PaceTally; window: PaceTally } {
  const all = new PaceTally();
  const window = new PaceTally();
  const inFlightNs: number[] = [];
  for (const { number, begunNs, end } of requests) {
    const plannedNs = number * periodNs;
    const fromNs = hasPlan ? plannedNs : begunNs;
    for (const tally of begunNs >= rampNs ? [all, window] : [all]) {
      tally.sent();
      tally.left(Math.max(0, begunNs - plannedNs));
      if (end !== null) tally.ended(end.place, end.ending, end.ns - fromNs);
    }
    if (end === null && begunNs >= rampNs) inFlightNs.push(durationNs - fromNs);
  }
  window.close(inFlightNs);
  return { all, window };
}
