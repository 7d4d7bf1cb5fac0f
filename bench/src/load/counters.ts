import * as hdr from 'hdr-histogram-js';
import { type CpuReading, cpuBetween, readCpu, readSystem, type SystemReading } from '../usage.ts';
import { now } from './clock.ts';
import { Ledger } from './ledger.ts';
import type { Measurement, Order } from './protocol.ts';

/** An hour in µs, the longest latency that the histogram holds. */
const LONGEST_LATENCY_US = 3.6e9;

/** What stands at one edge of the window. */
export interface Edge {
  atNs: number;
  counts: Ledger['counts'];
  bytes: number;
  turns: Measurement['turns'];
  /** Each of the server's processes. */
  workers: CpuReading[];
  cpu: Record<'manager' | 'harness' | 'generator', CpuReading>;
  system: SystemReading | null;
}

/** All that is counted while a load is on; latency and bytes only inside the window. */
export class Counters {
  readonly ledger: Ledger;
  readonly latency = hdr.build({
    highestTrackableValue: LONGEST_LATENCY_US,
    numberOfSignificantValueDigits: 3,
  });
  readonly #turns = { all: 0, empty: 0, idleNs: 0 };
  #answers = 0;
  #bytes = 0;
  #counting = false;
  readonly #pids: Order['pids'];

  constructor(order: Order) {
    this.#pids = order.pids;
    this.ledger = new Ledger(order.expect.status, (answer) => {
      this.#answers++;
      if (!this.#counting) return;
      this.#bytes += answer.bytes;
      if (answer.status === 'as declared') {
        this.latency.recordValue(Math.max(1, Math.round(answer.latencyMs * 1000)));
      }
    });
  }

  openWindow(): Promise<Edge> {
    this.ledger.settle();
    this.#counting = true;
    return this.#edge();
  }

  closeWindow(): Promise<Edge> {
    this.ledger.settle();
    this.#counting = false;
    return this.#edge();
  }

  /** How far a window is that opened there. */
  since(opened: Edge): { ns: number; ok: number } {
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

  /** Everything is read within one turn of the event loop, the server first. */
  async #edge(): Promise<Edge> {
    const atNs = now();
    const counts = { ...this.ledger.counts };
    const bytes = this.#bytes;
    const turns = { ...this.#turns };
    const [workers, manager, harness, generator] = await Promise.all([
      Promise.all(this.#pids.server.map((pid) => readCpu([pid]))),
      readCpu(this.#pids.manager),
      readCpu(this.#pids.harness),
      readCpu([process.pid]),
    ]);
    const system = readSystem();
    return { atNs, counts, bytes, turns, workers, cpu: { manager, harness, generator }, system };
  }
}

/** What happened from one edge of the window to the other. */
export function between(
  opened: Edge,
  closed: Edge,
): Pick<Measurement, 'windowNs' | 'window' | 'cpu' | 'workersCpuNs' | 'system' | 'turns'> {
  const counted = (name: keyof Edge['counts']) => closed.counts[name] - opened.counts[name];
  const used = (who: keyof Edge['cpu']) => cpuBetween(opened.cpu[who], closed.cpu[who]);
  return {
    windowNs: closed.atNs - opened.atNs,
    window: {
      sent: counted('sent'),
      ok: counted('ok'),
      wrongStatus: counted('wrongStatus'),
      wrongBody: counted('wrongBody'),
      timedOut: counted('timedOut'),
      disconnected: counted('disconnected'),
      bytes: closed.bytes - opened.bytes,
    },
    cpu: {
      server: cpuBetween(total(opened.workers), total(closed.workers)),
      manager: used('manager'),
      harness: used('harness'),
      generator: used('generator'),
    },
    workersCpuNs: closed.workers.map(({ cpuNs }, index) => {
      return cpuNs - (opened.workers[index]?.cpuNs ?? 0);
    }),
    system:
      opened.system && closed.system
        ? {
            stealNs: closed.system.stealNs - opened.system.stealNs,
            busyNs: closed.system.busyNs - opened.system.busyNs,
            throttledNs: closed.system.throttledNs - opened.system.throttledNs,
          }
        : null,
    turns: {
      all: closed.turns.all - opened.turns.all,
      empty: closed.turns.empty - opened.turns.empty,
      idleNs: closed.turns.idleNs - opened.turns.idleNs,
    },
  };
}

function total(readings: CpuReading[]): CpuReading {
  return {
    cpuNs: readings.reduce((sum, { cpuNs }) => sum + cpuNs, 0),
    waitNs: readings.reduce((sum, { waitNs }) => sum + waitNs, 0),
  };
}
