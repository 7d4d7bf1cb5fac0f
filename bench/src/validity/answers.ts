import { sum } from '../figures/figures.ts';
import { histogramOf } from '../figures/latency.ts';
import { pooled } from '../figures/times.ts';
import { answersOf, type Measurement } from '../load/measurement.ts';
import { underWayOf } from '../plan/loads.ts';
import type { CellContext } from './context.ts';
import { LITTLE_STRAY, LONGEST_TURN_NS, TURNAROUND_NS, UNACCOUNTED_SHARE } from './thresholds.ts';

/** Whether any answer was wrong, from the first connection to the end of the load. */
export function badResponse({ slices }: CellContext) {
  const ledgers = slices.map(({ measurement }) => measurement.ledger);
  const wrong = sum(ledgers, ({ wrongStatus, wrongBody }) => wrongStatus + wrongBody);
  const answers = sum(ledgers, answersOf);
  return wrong > 0 ? { code: 'BAD_RESPONSE' as const, wrong, answers } : null;
}

/** Whether the outcomes of requests do not add up to those sent. Too many in one slice do not offset too few in another. */
export function ledger({ slices }: CellContext) {
  const ledgers = slices.map(({ measurement }) => measurement.ledger);
  const all = sum(ledgers, (counts) => counts.sent);
  const unaccounted = sum(ledgers, ({ sent, ...outcomes }) => {
    return Math.abs(sent - sum(Object.values(outcomes), (count) => count));
  });
  const isTooMany = unaccounted > UNACCOUNTED_SHARE * all;
  return isTooMany ? { code: 'LEDGER' as const, sent: all, unaccounted } : null;
}

/** Whether latency and throughput contradict each other by Little's law. */
export function little({ slices, load }: CellContext) {
  const occupancy = occupancyOf({ slices, load });
  if (occupancy === null || isExplained(occupancy)) return null;
  const { answered: ratio, low, high } = occupancy;
  return { code: 'LITTLE' as const, ratio, low, high };
}

/** Whether requests were lost, or windows closed before most of those in flight had timed out. */
export function censored({ slices, load }: CellContext) {
  const windows = slices.map(({ measurement }) => measurement.window);
  const timedOut = sum(windows, (window) => window.timedOut);
  const disconnected = sum(windows, (window) => window.disconnected);
  const answered = sum(windows, (window) => window.ok);
  const occupancy = occupancyOf({ slices, load });
  const outlasted =
    occupancy !== null && occupancy.answered < occupancy.lowIfAllAnswered && isExplained(occupancy);
  if (timedOut + disconnected === 0 && !outlasted) return null;
  /** The share of connections × pipelining that answers do not account for; null in an open loop. */
  const waiting = occupancy && Math.max(0, 1 - occupancy.answered);
  return { code: 'CENSORED' as const, timedOut, disconnected, answered, waiting };
}

type Occupancy = NonNullable<ReturnType<typeof occupancyOf>>;

function isExplained({ answered, low, high }: Occupancy): boolean {
  return !(answered < low || answered > high);
}

/** How full the connections × pipelining places for requests were, as shares; null in an open loop, which has none. */
function occupancyOf({ slices, load }: Pick<CellContext, 'slices' | 'load'>) {
  if (load.kind === 'open') return null;
  const measurements = slices.map(({ measurement }) => measurement);
  const ledgers = measurements.map(({ ledger: counts }) => counts);
  const windowsNs = sum(measurements, ({ windowNs }) => windowNs);
  const windowNs = windowsNs / slices.length;
  const placesNs = underWayOf(load) * windowsNs;
  const meanNs = histogramOf(slices).mean * 1000;
  // A block ends only once all is answered: together the places are empty for at most the latency of one request.
  const rampsNs = load.blocks > 1 ? load.blocks * meanNs : 0;
  const empty = TURNAROUND_NS / (meanNs + TURNAROUND_NS) + rampsNs / windowNs;
  // The edges of a window cut through requests.
  const stray = LITTLE_STRAY + (meanNs + LONGEST_TURN_NS) / windowNs;
  const waitedNs = load.method === 'contiguous' ? waitedIn(measurements) : null;
  const [sent, ok] = [sum(ledgers, (counts) => counts.sent), sum(ledgers, (counts) => counts.ok)];
  const lost = sum(measurements, ({ window }) => window.timedOut + window.disconnected);
  // At most: their share of all sent, and a whole timeout for each that was lost, while as many again may have waited
  // as long when the windows closed.
  const mostUnanswered = Math.min(1, 1 - ok / sent + (2 * lost * load.timeoutNs) / placesNs);
  const unanswered = waitedNs === null ? mostUnanswered : waitedNs / placesNs;
  const lowIfAllAnswered = 1 - stray - empty;
  return {
    /** By answered requests: mean latency × throughput, by Little's law, L = λW (Little 1961). */
    answered: (meanNs * sum(measurements, ({ window }) => window.ok)) / placesNs,
    /** What `answered` has to be within. */
    low: Math.max(0, lowIfAllAnswered - unanswered),
    high: 1 + stray,
    /** The lower limit if every request had been answered. */
    lowIfAllAnswered,
  };
}

/** How long all requests without an answer waited together, ns; null where the record does not say. */
function waitedIn(measurements: Measurement[]): number | null {
  const ages = measurements.flatMap(({ agesHistograms }) => agesHistograms ?? []);
  if (ages.length < measurements.length) return null;
  const waits = pooled(ages.flatMap(({ lost, inFlight }) => [lost, inFlight]));
  return waits.count * waits.mean * 1000;
}
