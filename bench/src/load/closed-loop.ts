import { codeOf } from '../base/errors.ts';
import { batches, type Client, type Connections, Gate, openConnections } from './autocannon.ts';
import { now, until } from './clock.ts';
import { between, Counters } from './counters.ts';
import { drain } from './drain.ts';
import { readMemoryOf } from './edge.ts';
import { encode } from './histogram.ts';
import type { Job } from './job.ts';
import type { Ledger } from './ledger.ts';
import type { Order, Outcome } from './protocol.ts';

/** Carries out an order that keeps so many requests under way. */
export async function closedLoop(order: Order, { stopped, ready }: Job): Promise<Outcome> {
  const refused = new AbortController();
  const over = AbortSignal.any([stopped, refused.signal]);
  const ending = (): Outcome => ({ kind: stopped.aborted ? 'stopped' : 'refused' });
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
    const startedNs = now();
    const atOnce = order.opening.when === 'at once';
    const allAnswered = await openGently(order, open, counters.ledger, over);
    if (over.aborted) return ending();
    await until(await ready(), over);
    if (over.aborted) return ending();
    const opened = await counters.openWindow();
    // What an unbroken load sends first is sent inside its window, which stays open as long from then.
    if (atOnce) open(order.connections);
    const fromNs = atOnce ? now() : opened.atNs;
    await until(fromNs + order.windowNs / 2, over);
    const halfway = counters.since(opened);
    await until(fromNs + order.windowNs, over);
    if (over.aborted) return ending();
    const closed = await counters.closeWindow();
    turns?.stop();

    const memory = await readMemoryOf(order.pids);
    await stopLoads();
    const { ledger, latency, ages } = counters;
    return {
      kind: 'measured',
      measurement: {
        warmupNs: atOnce ? 0 : opened.atNs - startedNs,
        warmupCapped: !allAnswered,
        ...between(opened, closed),
        halfway,
        generators: 1,
        ...(await drain(order)),
        ledger: { ...ledger.counts, inFlight: ledger.inFlight },
        latencyHistogram: encode(latency),
        agesHistograms: {
          lost: encode(ages.lost),
          inFlight: encode(ages.inFlight),
        },
        memory,
        pace: null,
        series: [],
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
