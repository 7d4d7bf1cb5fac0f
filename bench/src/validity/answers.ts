import { sum } from '../figures/figures.ts';
import { histogramOf } from '../figures/latency.ts';
import { pooled } from '../figures/times.ts';
import type { Measurement } from '../load/measurement.ts';
import { underWayOf } from '../plan/loads.ts';
import type { CellContext } from './context.ts';
import { LITTLE_STRAY, LONGEST_TURN_NS, TURNAROUND_NS, UNACCOUNTED_SHARE } from './thresholds.ts';

/** Whether any answer was wrong, from the first connection to the end of the load. */
export function badResponse({ slices }: CellContext) {
  const ledgers = slices.map(({ measurement }) => measurement.ledger);
  const wrong = sum(ledgers, ({ wrongStatus, wrongBody }) => wrongStatus + wrongBody);
  const answers = wrong + sum(ledgers, ({ ok }) => ok);
  return wrong > 0 ? { code: 'BAD_RESPONSE' as const, wrong, answers } : null;
}

/**
 * Whether what became of the requests adds up to those sent, over whole slices too: by how much it misses them, slice by
 * slice.
 */
export function ledger({ slices }: CellContext) {
  const ledgers = slices.map(({ measurement }) => measurement.ledger);
  const sent = sum(ledgers, (counts) => counts.sent);
  const unaccounted = sum(ledgers, ({ sent: all, ...outcomes }) => {
    return Math.abs(all - sum(Object.values(outcomes), (fate) => fate));
  });
  return unaccounted > UNACCOUNTED_SHARE * sent
    ? { code: 'LEDGER' as const, sent, unaccounted }
    : null;
}

/** Whether latency and throughput fit each other by Little's law. */
export function little(context: CellContext) {
  const places = placesOf(context);
  if (places === null) return null;
  const { answered: ratio, unanswered, empty, stray } = places;
  const [low, high] = [Math.max(0, 1 - stray - unanswered - empty), 1 + stray];
  return ratio < low || ratio > high ? { code: 'LITTLE' as const, ratio, low, high } : null;
}

/**
 * Whether requests were lost; or got no answer, but the window closed before they timed out, so that
 * hardly anything of what was under way has a latency. Waiting is the share of connections × pipelining that answered
 * requests don't account for; null in an open loop.
 */
export function censored(context: CellContext) {
  const windows = context.slices.map(({ measurement }) => measurement.window);
  const timedOut = sum(windows, (window) => window.timedOut);
  const disconnected = sum(windows, (window) => window.disconnected);
  const answered = sum(windows, (window) => window.ok);
  const places = placesOf(context);
  const held = places?.answered ?? 1;
  const outlasted =
    places !== null && held < 1 - places.stray - places.empty && little(context) === null;
  if (timedOut + disconnected === 0 && !outlasted) return null;
  const waiting = places && Math.max(0, 1 - held);
  return { code: 'CENSORED' as const, timedOut, disconnected, answered, waiting };
}

/** Who held the places, connections × pipelining, in which a request can be under way; shares. */
interface Places {
  /** Mean latency × throughput, by Little's law, L = λW (Little 1961). */
  answered: number;
  /**
   * What requests without an answer held. Where the windows opened with the load, their ages tell; else
   * it is the most that it can have been: by their number, of all that were sent, and those that were
   * lost for the length of the time-out each, while as many again may have waited as long when the
   * windows closed.
   */
  unanswered: number;
  /**
   * The most that nobody held: because the generator had not yet sent the next request, or because it
   * sent no more and a piece came to its end.
   */
  empty: number;
  /** How far the sum may be from 1: the edges of a window cut through requests. */
  stray: number;
}

/** Worked out once for all rules that ask: the histograms take long to pool. */
const PLACES = new WeakMap<CellContext, Places | null>();

/** Null in an open loop, which has no such places. */
function placesOf(context: CellContext): Places | null {
  const known = PLACES.get(context);
  if (known !== undefined) return known;
  const places = findPlaces(context);
  PLACES.set(context, places);
  return places;
}

function findPlaces({ slices, load }: CellContext): Places | null {
  if (load.kind === 'open') return null;
  const measurements = slices.map(({ measurement }) => measurement);
  const windowsNs = sum(measurements, ({ windowNs }) => windowNs);
  const placesNs = underWayOf(load) * windowsNs;
  const meanNs = (histogramOf(slices)?.mean ?? 0) * 1000;
  const sent = sum(measurements, (each) => each.ledger.sent);
  const ok = sum(measurements, (each) => each.ledger.ok);
  const agesNs = waitedNs(measurements);
  // A turn ends once all is answered. Meanwhile places become empty, one by one: together no more than
  // all of them would be in the time of an answer.
  const rampsNs = load.blocks > 1 ? load.blocks * meanNs : 0;
  const lost = sum(measurements, ({ window }) => window.timedOut + window.disconnected);
  return {
    answered: (meanNs * sum(measurements, ({ window }) => window.ok)) / placesNs,
    unanswered:
      load.method === 'contiguous' && agesNs !== null
        ? agesNs / placesNs
        : Math.min(1, 1 - ok / sent + (2 * lost * load.timeoutNs) / placesNs),
    empty: TURNAROUND_NS / (meanNs + TURNAROUND_NS) + rampsNs / (windowsNs / slices.length),
    stray: LITTLE_STRAY + (meanNs + LONGEST_TURN_NS) / (windowsNs / slices.length),
  };
}

/** How long all requests without an answer had waited together, ns; null where nobody looked. */
function waitedNs(measurements: Measurement[]): number | null {
  const ages = measurements.map(({ agesHistograms }) => agesHistograms);
  if (ages.includes(null)) return null;
  const waits = pooled(ages.flatMap((each) => (each === null ? [] : [each.lost, each.inFlight])));
  return waits.count * waits.mean * 1000;
}
