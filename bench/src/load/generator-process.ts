/**
 * The generator process: takes an order, puts the load on, and answers with a measurement. It runs
 * as a child with an IPC channel.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import * as hdr from 'hdr-histogram-js';
import { codeOf, messageOf } from '../errors.ts';
import {
  type CpuReading,
  cpuBetween,
  readCpu,
  readMemory,
  readSystem,
  type SystemReading,
} from '../usage.ts';
import { batches, type Client, type Connections, Gate, openConnections } from './autocannon.ts';
import { Ledger } from './ledger.ts';
import { commandSchema, type Measurement, type Order, type Reply } from './protocol.ts';

/** While draining, a server that uses less than this share of a core is idle. */
const IDLE_SHARE = 0.2;
const DRAIN_CHECK_MS = 5;
/** An hour in µs, the longest latency that the histogram holds. */
const LONGEST_LATENCY_US = 3.6e9;

let stop: AbortController | null = null;

process.on('message', (message) => {
  const command = commandSchema.parse(message);
  if (command.kind === 'stop') {
    stop?.abort();
    return;
  }
  stop = new AbortController();
  obey(command.order, stop.signal)
    .catch((error: unknown): Reply => ({ kind: 'failed', message: messageOf(error) }))
    .then((reply) => process.send?.(reply));
});
// The harness is gone: so is the reason to live.
process.on('disconnect', () => process.exit());
// Ctrl-C may reach every process of a terminal; the harness decides when a slice ends.
process.on('SIGINT', () => {});

async function obey(order: Order, stopped: AbortSignal): Promise<Reply> {
  const refused = new AbortController();
  const over = AbortSignal.any([stopped, refused.signal]);
  const counters = new Counters(order);
  const turns = order.neverSleep ? keepTurning(counters) : null;
  const loads: Connections[] = [];
  let refusals = 0;
  const open = (connections: number, gate?: Gate) => {
    const onClient = (client: Client) => {
      gate?.hold(client);
      counters.ledger.follow(client);
      client.on('connError', (error: Error) => {
        if (codeOf(error) === 'ECONNREFUSED' && ++refusals >= connections) refused.abort();
      });
    };
    loads.push(openConnections(order, connections, onClient));
  };
  const stopLoads = () => Promise.all(loads.map((load) => load.stop()));

  try {
    const startedNs = now();
    const allAnswered = await openAll(order, open, counters.ledger, over);
    const opened = await counters.openWindow();
    await pause(order.windowNs, over);
    const closed = await counters.closeWindow();
    turns?.stop();
    if (stopped.aborted) return { kind: 'stopped' };
    if (refused.signal.aborted) return { kind: 'refused' };

    const memory = {
      server: await readMemory(order.pids.server),
      manager: await readMemory(order.pids.manager),
    };
    await stopLoads();
    const ledger = { ...counters.ledger.counts, inFlight: counters.ledger.inFlight };
    const measurement: Measurement = {
      warmupNs: opened.atNs - startedNs,
      warmupCapped: !allAnswered,
      ...(await drain(order)),
      ledger,
      ...between(opened, closed),
      latencyHistogram: hdr.encodeIntoCompressedBase64(counters.latency),
      memory,
    };
    return { kind: 'measured', measurement };
  } finally {
    turns?.stop();
    await stopLoads();
  }
}

/**
 * Opens all connections: at once, or in batches behind a gate until all are there and answered.
 * Returns whether all were answered where that was asked for.
 */
async function openAll(
  { connections, opening }: Order,
  open: (connections: number, gate?: Gate) => void,
  ledger: Ledger,
  over: AbortSignal,
): Promise<boolean> {
  if (opening.when === 'at once') {
    open(connections);
    return true;
  }
  const deadlineNs = now() + opening.capNs;
  const upTo = async (step: Promise<void>) => {
    const done = new AbortController();
    step.then(() => done.abort());
    await pause(Math.max(0, deadlineNs - now()), AbortSignal.any([done.signal, over]));
  };
  const gate = new Gate();
  for (const batch of batches(connections)) {
    open(batch, gate);
    await upTo(gate.accepted());
  }
  gate.open();
  await upTo(ledger.untilAnswered(connections));
  return ledger.answeredClients === connections;
}

/** All that is counted while a load is on; latency and bytes only inside the window. */
class Counters {
  readonly ledger: Ledger;
  readonly latency = hdr.build({
    highestTrackableValue: LONGEST_LATENCY_US,
    numberOfSignificantValueDigits: 3,
  });
  answers = 0;
  readonly turns = { all: 0, empty: 0 };
  #bytes = 0;
  #counting = false;
  readonly #pids: Order['pids'];

  constructor(order: Order) {
    this.#pids = order.pids;
    this.ledger = new Ledger(order.expect.status, (answer) => {
      this.answers++;
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

  /** Everything is read within one turn of the event loop, the server first. */
  async #edge() {
    const atNs = now();
    const counts = { ...this.ledger.counts };
    const bytes = this.#bytes;
    const turns = { ...this.turns };
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

interface Edge {
  atNs: number;
  counts: Ledger['counts'];
  bytes: number;
  turns: { all: number; empty: number };
  /** Each of the server's processes. */
  workers: CpuReading[];
  cpu: Record<'manager' | 'harness' | 'generator', CpuReading>;
  system: SystemReading | null;
}

/** What happened from one edge of the window to the other. */
function between(opened: Edge, closed: Edge) {
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
          }
        : null,
    turns: {
      all: closed.turns.all - opened.turns.all,
      empty: closed.turns.empty - opened.turns.empty,
    },
  };
}

function total(readings: CpuReading[]): CpuReading {
  return {
    cpuNs: readings.reduce((sum, { cpuNs }) => sum + cpuNs, 0),
    waitNs: readings.reduce((sum, { waitNs }) => sum + waitNs, 0),
  };
}

/** Keeps the event loop turning until it is stopped, and counts the turns that brought no answer. */
function keepTurning(counters: Counters): { stop(): void } {
  let turning = true;
  let answersBefore = 0;
  const turn = () => {
    counters.turns.all++;
    if (counters.answers === answersBefore) counters.turns.empty++;
    answersBefore = counters.answers;
    if (turning) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    stop: () => {
      turning = false;
    },
  };
}

/** Waits until the server has finished what its clients left behind, so that no work leaks on. */
async function drain({ pids, drainCapNs }: Order) {
  const startNs = now();
  let before = { atNs: startNs, ...(await readCpu(pids.server)) };
  while (now() - startNs < drainCapNs) {
    await sleep(DRAIN_CHECK_MS);
    const after = { atNs: now(), ...(await readCpu(pids.server)) };
    if (after.cpuNs - before.cpuNs < IDLE_SHARE * (after.atNs - before.atNs)) {
      return { drainNs: after.atNs - startNs, drainCapped: false };
    }
    before = after;
  }
  return { drainNs: now() - startNs, drainCapped: drainCapNs > 0 };
}

/** Waits this long, or until the signal: without blocking the event loop. */
async function pause(ns: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ns / 1e6, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function now(): number {
  return Number(process.hrtime.bigint());
}
