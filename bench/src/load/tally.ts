import * as hdr from 'hdr-histogram-js';
import type { Answers, LedgerCounts, Measurement } from './measurement.ts';

/** An hour in µs, the longest time that a histogram holds. */
const LONGEST_US = 3.6e9;

/** A histogram of times in µs, with three digits. */
export function newHistogram(): hdr.Histogram {
  return hdr.build({ highestTrackableValue: LONGEST_US, numberOfSignificantValueDigits: 3 });
}

/** Records a time, as a whole number of µs that a histogram can hold. */
function record(histogram: hdr.Histogram, ns: number): void {
  histogram.recordValue(Math.min(LONGEST_US, Math.max(1, Math.round(ns / 1000))));
}

/** A histogram as measurements hold it: compressed, base64. */
export const encode = hdr.encodeIntoCompressedBase64;

/** How a request can end. */
export type Ending = Exclude<keyof LedgerCounts, 'sent' | 'inFlight'>;

/** What became of the requests of a load, or of one of its windows. */
export class Tally {
  readonly counts = { sent: 0, ok: 0, wrongStatus: 0, wrongBody: 0, timedOut: 0, disconnected: 0 };
  /** Unanswered at the close: counted there, so that a ledger that does not add up shows. */
  inFlight = 0;
  /** Bytes read, heads and bodies. */
  bytes = 0;
  /** The answers to each request of the order. */
  readonly answers: Answers[];
  /** Of the requests answered as declared, until the whole response was there. */
  readonly latency = newHistogram();
  /** How long the requests that timed out or were disconnected had waited; those in flight, at the close. */
  readonly ages = { lost: newHistogram(), inFlight: newHistogram() };

  /** Of an order with this many requests. */
  constructor(requests: number) {
    this.answers = Array.from({ length: requests }, () => ({
      ok: 0,
      wrongStatus: 0,
      wrongBody: 0,
    }));
  }

  /** A request has ended at this age; `place` is its index among those of the order. */
  ended(ending: Ending, ageNs: number, place: number): void {
    this.counts[ending]++;
    if (ending === 'timedOut' || ending === 'disconnected') {
      record(this.ages.lost, ageNs);
      return;
    }
    const own = this.answers[place];
    if (own !== undefined) own[ending]++;
    if (ending === 'ok') record(this.latency, ageNs);
  }

  /** The requests in flight are this old, ns. */
  close(agesNs: readonly number[]): void {
    this.inFlight = agesNs.length;
    for (const ageNs of agesNs) record(this.ages.inFlight, ageNs);
  }
}

/** A request that leaves or is dropped later than this after its planned instant is late, ns. */
export const LATE_NS = 1e6;

/** A tally of an open loop: planned = sent + dropped. All times count from the planned instant. */
export class PaceTally extends Tally {
  planned = 0;
  /** Never sent, because too many requests were in flight. */
  dropped = 0;
  /** Left or dropped more than `LATE_NS` after the planned instant. */
  late = 0;
  /** How long after the planned instant requests left or were dropped, which is the generator's own fault. */
  readonly lateness = newHistogram();

  /** A request that was due this long ago is never sent. */
  drop(latenessNs: number): void {
    this.planned++;
    this.dropped++;
    this.left(latenessNs);
  }

  sent(): void {
    this.planned++;
    this.counts.sent++;
  }

  left(latenessNs: number): void {
    record(this.lateness, latenessNs);
    if (latenessNs > LATE_NS) this.late++;
  }
}

/** What a loop has counted, once it is over. */
export type Counted = Pick<
  Measurement,
  | 'warmupCapped'
  | 'window'
  | 'requests'
  | 'ledger'
  | 'latencyHistogram'
  | 'agesHistograms'
  | 'pace'
  | 'turns'
>;

/** What a loop has counted of all its requests, and in its window, with what only some loops count. */
export function countedOf(
  { counts, inFlight }: Pick<Tally, 'counts' | 'inFlight'>,
  window: Tally,
  own: Pick<Counted, 'pace'> & Partial<Counted>,
): Counted {
  const { answers, ages } = window;
  return {
    warmupCapped: false,
    window: { ...window.counts, bytes: window.bytes },
    // The answers to a single request are those of the window.
    requests: answers.length === 1 ? [] : answers,
    ledger: { ...counts, inFlight },
    latencyHistogram: encode(window.latency),
    agesHistograms: { lost: encode(ages.lost), inFlight: encode(ages.inFlight) },
    turns: { all: 0, empty: 0, idleNs: 0 },
    ...own,
  };
}
