/**
 * The generator process: takes an order, drives autocannon, and answers with a measurement.
 * The only file that knows autocannon. It runs as a child with an IPC channel.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import * as hdr from 'hdr-histogram-js';
import { codeOf, messageOf } from '../errors.ts';
import { type CpuReading, cpuBetween, readCpu, readMemory } from '../usage.ts';
import { Ledger, type LedgerClient } from './ledger.ts';
import { commandSchema, type Order, type Reply } from './protocol.ts';

/** autocannon drops a connection when nothing came on it for this long; its own default. */
const TIMEOUT_S = 10;
/** autocannon looks at its stop flag once in this time. */
const STOP_CHECK_MS = 20;
/** A day: a slice ends by our own clock, never by autocannon's. */
const LONGER_THAN_ANY_SLICE_S = 86_400;
/** Over the drain, a server that uses less than this share of a core is idle. */
const IDLE_SHARE = 0.2;
const DRAIN_CHECK_MS = 5;

interface Edge {
  atNs: number;
  counts: Ledger['counts'];
  bytes: number;
  turns: { all: number; empty: number };
  server: CpuReading;
  manager: CpuReading;
  harness: CpuReading;
  generator: CpuReading;
}

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
// Ctrl-C reaches the whole foreground group; the harness decides when the slice ends.
process.on('SIGINT', () => {});

async function obey(order: Order, stopped: AbortSignal): Promise<Reply> {
  const startedNs = now();
  const { expect, pids } = order;
  const latency = hdr.build({ highestTrackableValue: 3.6e9, numberOfSignificantValueDigits: 3 });
  let bytes = 0;
  let refusals = 0;
  let answers = 0;
  let counting = false;

  const ledger = new Ledger(expect.status, (answer) => {
    answers++;
    if (!counting) {
      if (ledger.answeredClients === order.connections) allAnswered.abort();
      return;
    }
    bytes += answer.bytes;
    if (answer.status === 'as declared') {
      latency.recordValue(Math.max(1, Math.round(answer.latencyMs * 1000)));
    }
  });

  const turns = { all: 0, empty: 0 };
  let turning = true;
  let answersLastTurn = 0;
  const keepTurning = () => {
    turns.all++;
    if (answers === answersLastTurn) turns.empty++;
    answersLastTurn = answers;
    if (turning) setImmediate(keepTurning);
  };
  if (order.neverSleep) setImmediate(keepTurning);

  const edge = async (): Promise<Edge> => {
    const atNs = now();
    const counts = { ...ledger.counts };
    const [server, manager, harness, generator] = await Promise.all([
      readCpu(pids.server),
      readCpu(pids.manager),
      readCpu(pids.harness),
      readCpu([process.pid]),
    ]);
    return { atNs, counts, bytes, turns: { ...turns }, server, manager, harness, generator };
  };

  const allAnswered = new AbortController();
  const refused = new AbortController();
  const over = AbortSignal.any([stopped, refused.signal]);
  const load = startLoad(order, (client) => {
    ledger.follow(client);
    client.on('connError', (error: Error) => {
      if (codeOf(error) === 'ECONNREFUSED' && ++refusals >= order.connections) refused.abort();
    });
  });

  try {
    if (order.opening.when === 'all answered') {
      await pause(order.opening.capNs, AbortSignal.any([allAnswered.signal, over]));
    }
    counting = true;
    const opened = await edge();
    await pause(order.windowNs, over);
    const closed = await edge();
    counting = false;
    turning = false;
    if (stopped.aborted) return { kind: 'stopped' };
    if (refused.signal.aborted) return { kind: 'refused' };

    const memory = {
      server: await readMemory(pids.server),
      manager: await readMemory(pids.manager),
    };
    const whole = { ...ledger.counts, inFlight: ledger.inFlight };
    await load.stop();
    const drain = await drained(pids.server, order.drainCapNs);

    return {
      kind: 'measured',
      measurement: {
        warmupNs: opened.atNs - startedNs,
        warmupCapped: order.opening.when === 'all answered' && !allAnswered.signal.aborted,
        windowNs: closed.atNs - opened.atNs,
        ...drain,
        ledger: whole,
        window: {
          ...difference(opened.counts, closed.counts),
          bytes: closed.bytes - opened.bytes,
        },
        latencyHistogram: hdr.encodeIntoCompressedBase64(latency),
        cpu: {
          server: cpuBetween(opened.server, closed.server),
          manager: cpuBetween(opened.manager, closed.manager),
          harness: cpuBetween(opened.harness, closed.harness),
          generator: cpuBetween(opened.generator, closed.generator),
        },
        memory,
        turns: {
          all: closed.turns.all - opened.turns.all,
          empty: closed.turns.empty - opened.turns.empty,
        },
      },
    };
  } finally {
    turning = false;
    counting = false;
    await load.stop();
  }
}

/** Starts autocannon; `stop` ends the load, and resolves once every connection is closed. */
function startLoad(order: Order, onClient: (client: autocannon.Client & LedgerClient) => void) {
  const ended = Promise.withResolvers<void>();
  const instance = autocannon(
    {
      url: order.origin + order.request.path,
      method: order.request.method,
      connections: order.connections,
      pipelining: order.pipelining,
      duration: LONGER_THAN_ANY_SLICE_S,
      timeout: TIMEOUT_S,
      sampleInt: STOP_CHECK_MS,
      verifyBody: (body) => body === order.expect.body,
      setupClient: (client) => {
        if (!isLedgerClient(client)) {
          throw new Error('this autocannon has no pipelinedRequests; the ledger needs them');
        }
        onClient(client);
      },
    },
    (error) => (error ? ended.reject(error) : ended.resolve()),
  );
  return {
    stop: () => {
      instance.stop();
      return ended.promise;
    },
  };
}

/** Waits this long, or until the signal: without blocking the event loop. */
async function pause(ns: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ns / 1e6, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Waits until the server has finished what its clients left behind, so that no work leaks on. */
async function drained(pids: number[], capNs: number) {
  const startNs = now();
  let before = await readCpu(pids);
  let beforeNs = now();
  while (now() - startNs < capNs) {
    await sleep(DRAIN_CHECK_MS);
    const reading = await readCpu(pids);
    const atNs = now();
    if (reading.cpuNs - before.cpuNs < IDLE_SHARE * (atNs - beforeNs)) {
      return { drainNs: atNs - startNs, drainCapped: false };
    }
    before = reading;
    beforeNs = atNs;
  }
  return { drainNs: now() - startNs, drainCapped: capNs > 0 };
}

function difference(from: Ledger['counts'], to: Ledger['counts']): Ledger['counts'] {
  return {
    sent: to.sent - from.sent,
    ok: to.ok - from.ok,
    wrongStatus: to.wrongStatus - from.wrongStatus,
    wrongBody: to.wrongBody - from.wrongBody,
    timedOut: to.timedOut - from.timedOut,
    disconnected: to.disconnected - from.disconnected,
  };
}

function isLedgerClient(client: autocannon.Client): client is autocannon.Client & LedgerClient {
  return 'pipelinedRequests' in client;
}

function now(): number {
  return Number(process.hrtime.bigint());
}
