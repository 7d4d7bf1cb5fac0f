import * as hdr from 'hdr-histogram-js';
import type { Answers, LedgerCounts, Measurement } from './measurement.ts';

/** An hour, the longest time in a histogram. */
const LONGEST_US = 3.6e9;

/** A histogram of times in µs with three digits. */
export function newHistogram(): hdr.Histogram {
  return hdr.build({ highestTrackableValue: LONGEST_US, numberOfSignificantValueDigits: 3 });
}

/** Records a time in whole µs, within the range of a histogram. */
function record(histogram: hdr.Histogram, ns: number): void {
  histogram.recordValue(Math.min(LONGEST_US, Math.max(1, Math.round(ns / 1000))));
}

/** A histogram as measurements hold it: compressed, base64. */
export const encode = hdr.encodeIntoCompressedBase64;

export type Ending = Exclude<keyof LedgerCounts, 'sent' | 'inFlight'>;

/** What became of the requests of a load, or of a window of it. */
export class Tally {
  readonly counts = { sent: 0, ok: 0, wrongStatus: 0, wrongBody: 0, timedOut: 0, disconnected: 0 };
  /** Counted at the close, not calculated: a ledger that does not add up has to show. */
  inFlight = 0;
  /** Bytes read, heads and bodies. */
  bytes = 0;
  /** By request of the order. */
  readonly answers: Answers[];
  /** Of the requests answered as declared, until the whole response was there. */
  readonly latency = newHistogram();
  /** The ages of requests when they were lost, and at the close when they were in flight. */
  readonly ages = { lost: newHistogram(), inFlight: newHistogram() };

  constructor(requests: number) {
    const none = { ok: 0, wrongStatus: 0, wrongBody: 0 };
    this.answers = Array.from({ length: requests }, () => ({ ...none }));
  }

  /** A request has ended at this age; `place` is its index in the order. */
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

  /** Closes with these requests in flight. */
  close(agesNs: readonly number[]): void {
    this.inFlight = agesNs.length;
    for (const ageNs of agesNs) record(this.ages.inFlight, ageNs);
  }
}

/** A request that leaves or is dropped more than this after its planned instant is late. */
const LATE_NS = 1e6;

/** A tally of an open loop: planned = sent + dropped. All times count from the planned instant. */
export class PaceTally extends Tally {
  planned = 0;
  /** Never sent, because too many requests were in flight. */
  dropped = 0;
  late = 0;
  /** How long after the planned instant requests left or were dropped: the generator's own delay. */
  readonly lateness = newHistogram();

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

export type LoopCounts = ReturnType<typeof loopCounts>;

/** What a loop has counted in all and in its window, with what only some loops count. */
export function loopCounts(
  { counts, inFlight }: Pick<Tally, 'counts' | 'inFlight'>,
  window: Tally,
  own: Pick<Measurement, 'pace'> & Partial<Pick<Measurement, 'warmupCapped' | 'turns'>>,
) {
  const { answers, ages } = window;
  return {
    warmupCapped: false,
    window: { ...window.counts, bytes: window.bytes },
    requests: answers.length === 1 ? [] : answers,
    ledger: { ...counts, inFlight },
    latencyHistogram: encode(window.latency),
    agesHistograms: { lost: encode(ages.lost), inFlight: encode(ages.inFlight) },
    turns: { all: 0, empty: 0, idleNs: 0 },
    ...own,
  };
}
