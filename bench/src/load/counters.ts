import { minus } from '../math/counters.ts';
import { newHistogram, record } from './histogram.ts';
import { Ledger } from './ledger.ts';
import type { Answers, Measurement } from './measurement.ts';

/** What stands at one edge of the window. */
interface Counts {
  requests: Ledger['counts'];
  answers: Answers[];
  bytes: number;
  turns: Measurement['turns'];
}

/** All that is counted while a closed loop is on; latency, ages and bytes only inside the window. */
export class Counters {
  readonly ledger: Ledger;
  readonly latency = newHistogram();
  /** Of the requests lost, when they were; of those in flight, when the window closed. */
  readonly ages = { lost: newHistogram(), inFlight: newHistogram() };
  readonly #turns = { all: 0, empty: 0, idleNs: 0 };
  #bytes = 0;
  #counting = false;
  #opened: Counts;
  #closed: Counts;

  /** Of a mix whose requests are to be answered with these statuses. */
  constructor(statuses: readonly number[]) {
    this.ledger = new Ledger(statuses, {
      onAnswer: ({ bytes, latencyMs }, kind) => {
        if (!this.#counting) return;
        this.#bytes += bytes;
        if (kind === 'ok') record(this.latency, latencyMs * 1e6);
      },
      onLost: (ageNs) => {
        if (this.#counting) record(this.ages.lost, ageNs);
      },
    });
    this.#opened = this.#counts();
    this.#closed = this.#opened;
  }

  openWindow(): void {
    this.#counting = true;
    this.#opened = this.#counts();
  }

  /** Closes the window at this instant, ns. */
  closeWindow(atNs: number): void {
    this.#counting = false;
    this.#closed = this.#counts();
    for (const ageNs of this.ledger.agesInFlight(atNs)) record(this.ages.inFlight, ageNs);
  }

  /** Requests answered as declared since the window opened. */
  okSoFar(): number {
    return this.ledger.counts.ok - this.#opened.requests.ok;
  }

  /** What happened from one edge of the window to the other. */
  between(): Pick<Measurement, 'window' | 'turns' | 'requests'> {
    const { requests, answers, bytes, turns } = minus(this.#closed, this.#opened);
    // Of a single request there is nothing to tell apart.
    return { window: { ...requests, bytes }, requests: answers.length === 1 ? [] : answers, turns };
  }

  /**
   * Keeps the event loop turning until it is stopped, no turn shorter than this, and counts the turns
   * that brought no answer.
   */
  keepTurning(turnNs: number): { stop(): void } {
    let turning = true;
    let answersBefore = 0;
    let beforeMs = performance.now();
    const turn = () => {
      if (!turning) return;
      const doneMs = performance.now();
      let nowMs = doneMs;
      while ((nowMs - beforeMs) * 1e6 < turnNs) nowMs = performance.now();
      const isEmpty = this.ledger.answered === answersBefore;
      this.#turns.all++;
      if (isEmpty) this.#turns.empty++;
      this.#turns.idleNs += (nowMs - (isEmpty ? beforeMs : doneMs)) * 1e6;
      answersBefore = this.ledger.answered;
      beforeMs = nowMs;
      setImmediate(turn);
    };
    setImmediate(turn);
    return {
      stop: () => {
        turning = false;
      },
    };
  }

  #counts(): Counts {
    const { counts: requests, answers } = this.ledger;
    return structuredClone({ requests, answers, bytes: this.#bytes, turns: this.#turns });
  }
}
