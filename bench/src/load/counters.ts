import { now } from './clock.ts';
import { type Edge, readEdge, usedBetween } from './edge.ts';
import { newHistogram, record } from './histogram.ts';
import { type Answer, Ledger } from './ledger.ts';
import type { Measurement } from './measurement.ts';
import type { Order } from './protocol.ts';

/** What stands at one edge of the window. */
export interface CountedEdge extends Edge {
  counts: Ledger['counts'];
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
  #answers = 0;
  #bytes = 0;
  #counting = false;
  readonly #pids: Order['pids'];

  constructor(order: Order) {
    this.#pids = order.pids;
    const onAnswer = (answer: Answer) => {
      this.#answers++;
      if (!this.#counting) return;
      this.#bytes += answer.bytes;
      if (answer.status === 'as declared') record(this.latency, answer.latencyMs * 1e6);
    };
    const onLost = (ageNs: number) => {
      if (this.#counting) record(this.ages.lost, ageNs);
    };
    this.ledger = new Ledger(order.expect.status, onAnswer, onLost);
  }

  openWindow(): Promise<CountedEdge> {
    this.ledger.settle();
    this.#counting = true;
    return this.#edge(now());
  }

  closeWindow(): Promise<CountedEdge> {
    this.ledger.settle();
    this.#counting = false;
    const atNs = now();
    const edge = this.#edge(atNs);
    for (const ageNs of this.ledger.agesInFlight(atNs)) record(this.ages.inFlight, ageNs);
    return edge;
  }

  /** How far a window is that opened there. */
  since(opened: CountedEdge): { ns: number; ok: number } {
    this.ledger.settle();
    return { ns: now() - opened.atNs, ok: this.ledger.counts.ok - opened.counts.ok };
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
      const doneMs = performance.now();
      let nowMs = doneMs;
      while ((nowMs - beforeMs) * 1e6 < turnNs) nowMs = performance.now();
      const isEmpty = this.#answers === answersBefore;
      this.#turns.all++;
      if (isEmpty) this.#turns.empty++;
      this.#turns.idleNs += (nowMs - (isEmpty ? beforeMs : doneMs)) * 1e6;
      answersBefore = this.#answers;
      beforeMs = nowMs;
      if (turning) setImmediate(turn);
    };
    setImmediate(turn);
    return {
      stop: () => {
        turning = false;
      },
    };
  }

  async #edge(atNs: number): Promise<CountedEdge> {
    const counts = { ...this.ledger.counts };
    const bytes = this.#bytes;
    const turns = { ...this.#turns };
    return { ...(await readEdge(atNs, this.#pids)), counts, bytes, turns };
  }
}

/** What happened from one edge of the window to the other. */
export function between(
  opened: CountedEdge,
  closed: CountedEdge,
): Pick<Measurement, 'windowNs' | 'window' | 'cpu' | 'workersCpuNs' | 'system' | 'turns'> {
  const counted = (name: keyof CountedEdge['counts']) => closed.counts[name] - opened.counts[name];
  return {
    ...usedBetween(opened, closed),
    window: {
      sent: counted('sent'),
      ok: counted('ok'),
      wrongStatus: counted('wrongStatus'),
      wrongBody: counted('wrongBody'),
      timedOut: counted('timedOut'),
      disconnected: counted('disconnected'),
      bytes: closed.bytes - opened.bytes,
    },
    turns: {
      all: closed.turns.all - opened.turns.all,
      empty: closed.turns.empty - opened.turns.empty,
      idleNs: closed.turns.idleNs - opened.turns.idleNs,
    },
  };
}
