import { encode, newHistogram, record } from './histogram.ts';
import type { Counted } from './loop.ts';
import type { Answers, LedgerCounts, Pace } from './measurement.ts';

/** A request that leaves or is dropped later than this after its planned instant is late, ns. */
export const LATE_NS = 1e6;

/** How a request can end. */
export type Ending = Exclude<keyof LedgerCounts, 'sent' | 'inFlight'>;

/**
 * What became of the requests of one stretch of an open loop: planned = sent + dropped, and sent = ok +
 * wrongStatus + wrongBody + timedOut + disconnected + inFlight. All times count from the planned
 * instant; histograms are in µs.
 */
export class PaceTally {
  readonly counts = {
    planned: 0,
    sent: 0,
    ok: 0,
    wrongStatus: 0,
    wrongBody: 0,
    timedOut: 0,
    disconnected: 0,
    /** Never sent, because as many as there may be were in flight. */
    dropped: 0,
    /** Left, or were dropped, more than `LATE_NS` after their planned instant. */
    late: 0,
  };
  readonly #answers = new Map<number, Answers>();
  /** Of the requests answered as declared, until the whole response was there. */
  readonly latency = newHistogram();
  /** How long after their instant requests left or were dropped: the pacer's own fault. */
  readonly lateness = newHistogram();
  /** Of the requests timed out or disconnected, when they were; of those in flight, at the close. */
  readonly ages = { lost: newHistogram(), inFlight: newHistogram() };
  #inFlight = 0;
  #isOpen = true;

  /** Counted, at the close one by one, and not worked out from the rest: a ledger that does not add up shows. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** A request that was due this long ago, ns, is never sent: too many are under way. */
  dropped(latenessNs: number): void {
    this.counts.planned++;
    this.counts.dropped++;
    this.#late(latenessNs);
  }

  sent(): void {
    this.counts.planned++;
    this.counts.sent++;
    this.#inFlight++;
  }

  left(latenessNs: number): void {
    if (this.#isOpen) this.#late(latenessNs);
  }

  #late(latenessNs: number): void {
    record(this.lateness, latenessNs);
    if (latenessNs > LATE_NS) this.counts.late++;
  }

  /** What was sent has ended so, at this age; its request has this place in the order's list. */
  ended(place: number, ending: Ending, ageNs: number): void {
    if (!this.#isOpen) return;
    this.#inFlight--;
    this.counts[ending]++;
    if (isAnswer(ending)) this.answersTo(place)[ending]++;
    if (ending === 'ok') record(this.latency, ageNs);
    if (ending === 'timedOut' || ending === 'disconnected') record(this.ages.lost, ageNs);
  }

  /** The answers to the request at this place of the order's list. */
  answersTo(place: number): Answers {
    const known = this.#answers.get(place);
    if (known !== undefined) return known;
    const none = { ok: 0, wrongStatus: 0, wrongBody: 0 };
    this.#answers.set(place, none);
    return none;
  }

  /** Counts no more: what is in flight stays so, at these ages, ns. A second call changes nothing. */
  close(agesNs: readonly number[]): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#inFlight = agesNs.length;
    for (const ageNs of agesNs) record(this.ages.inFlight, ageNs);
  }
}

/** What an open loop has counted: of all its requests, and of those of its window, with the bytes of that. */
export function countedOf(
  all: PaceTally,
  window: PaceTally,
  places: number,
  bytes: number,
): Counted & { pace: Pace } {
  const { planned, dropped, late, ...counts } = window.counts;
  const { planned: _planned, dropped: _dropped, late: _late, ...ledger } = all.counts;
  return {
    warmupCapped: false,
    window: { ...counts, bytes },
    ledger: { ...ledger, inFlight: all.inFlight },
    // Of a single request there is nothing to tell apart.
    requests:
      places === 1 ? [] : Array.from({ length: places }, (_, place) => window.answersTo(place)),
    latencyHistogram: encode(window.latency),
    agesHistograms: { lost: encode(window.ages.lost), inFlight: encode(window.ages.inFlight) },
    pace: { planned, dropped, lost: 0, lateness: { late, histogram: encode(window.lateness) } },
    turns: { all: 0, empty: 0, idleNs: 0 },
  };
}

function isAnswer(ending: Ending): ending is keyof Answers {
  return ending === 'ok' || ending === 'wrongStatus' || ending === 'wrongBody';
}
