/**
 * A generator process: takes an order, puts the load on, says when it is ready, opens the window when
 * it is told to, and answers with a measurement. It runs as a child with an IPC channel.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import * as hdr from 'hdr-histogram-js';
import { codeOf, messageOf } from '../errors.ts';
import { readCpu, readMemory } from '../usage.ts';
import { batches, type Client, type Connections, Gate, openConnections } from './autocannon.ts';
import { now, until } from './clock.ts';
import { between, Counters } from './counters.ts';
import type { Ledger } from './ledger.ts';
import { commandSchema, type Order, type Outcome, type Prepared } from './protocol.ts';

/** While draining, a server that uses less than this share of a core is idle. */
const IDLE_SHARE = 0.2;
const DRAIN_CHECK_MS = 5;

/** An order under way, as far as the harness has a say in it. */
interface Job {
  stop: AbortController;
  /** When the window opens, once the harness has said so. */
  opening: PromiseWithResolvers<number>;
}

let job: Job | null = null;

process.on('message', (message) => {
  const command = commandSchema.parse(message);
  if (command.kind === 'stop') job?.stop.abort();
  else if (command.kind === 'open') job?.opening.resolve(command.atNs);
  else {
    job = { stop: new AbortController(), opening: Promise.withResolvers() };
    carryOut(command.order, job)
      .catch((error: unknown): Outcome => ({ kind: 'failed', message: messageOf(error) }))
      .then(reply);
  }
});
// The harness is gone: so is the reason to live.
process.on('disconnect', () => process.exit());
// Ctrl-C may reach every process of a terminal; the harness decides when a slice ends.
process.on('SIGINT', () => {});

function reply(message: Prepared | Outcome): void {
  process.send?.(message);
}

async function carryOut(order: Order, { stop, opening }: Job): Promise<Outcome> {
  const refused = new AbortController();
  const over = AbortSignal.any([stop.signal, refused.signal]);
  const ending = (): Outcome => ({ kind: stop.signal.aborted ? 'stopped' : 'refused' });
  const counters = new Counters(order);
  const turns = order.neverSleep ? counters.keepTurning(order.turnNs) : null;
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
    let startedNs = now();
    const atOnce = order.opening.when === 'at once';
    const allAnswered = await openGently(order, open, counters.ledger, over);
    if (over.aborted) return ending();
    reply({ kind: 'ready' });
    await until(await opening.promise, over);
    if (over.aborted) return ending();
    if (atOnce) {
      startedNs = now();
      open(order.connections);
    }
    const opened = await counters.openWindow();
    await until(opened.atNs + order.windowNs / 2, over);
    const halfway = counters.since(opened);
    await until(opened.atNs + order.windowNs, over);
    if (over.aborted) return ending();
    const closed = await counters.closeWindow();
    turns?.stop();

    const memory = {
      server: await readMemory(order.pids.server),
      manager: await readMemory(order.pids.manager),
    };
    await stopLoads();
    const { ledger, latency } = counters;
    return {
      kind: 'measured',
      measurement: {
        warmupNs: opened.atNs - startedNs,
        warmupCapped: !allAnswered,
        ...between(opened, closed),
        halfway,
        generators: 1,
        ...(await drain(order)),
        ledger: { ...ledger.counts, inFlight: ledger.inFlight },
        latencyHistogram: hdr.encodeIntoCompressedBase64(latency),
        memory,
      },
    };
  } finally {
    turns?.stop();
    await stopLoads();
  }
}

/**
 * Opens all connections in batches behind a gate, and waits until all are there and answered; opens
 * nothing where the window opens at once. Returns whether all that it opened were answered.
 */
async function openGently(
  { connections, batch: most, opening }: Order,
  open: (connections: number, gate: Gate) => void,
  ledger: Ledger,
  over: AbortSignal,
): Promise<boolean> {
  if (opening.when === 'at once') return true;
  const deadlineNs = now() + opening.capNs;
  const upTo = async (step: Promise<void>) => {
    const done = new AbortController();
    step.then(() => done.abort());
    await until(deadlineNs, AbortSignal.any([done.signal, over]));
  };
  const gate = new Gate();
  for (const batch of batches(connections, most)) {
    open(batch, gate);
    await upTo(gate.accepted());
  }
  gate.open();
  await upTo(ledger.untilAnswered(connections));
  return ledger.answeredClients === connections;
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
