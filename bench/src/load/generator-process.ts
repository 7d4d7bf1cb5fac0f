/**
 * A generator process: takes an order, puts the load on, says when it is ready, opens the window when
 * it is told to, and answers with a measurement. It runs as a child with an IPC channel.
 */
import { messageOf } from '../base/errors.ts';
import { AskedReadings } from './asked-readings.ts';
import { Batches } from './batches.ts';
import { closedLoop } from './closed-loop.ts';
import { driverNamed } from './drivers.ts';
import { carryOutInterleaving } from './interleaving.ts';
import { carryOut, type Loop } from './loop.ts';
import type { RoundTrip } from './measurement.ts';
import { RequestCursors } from './mix.ts';
import {
  type BatchOutcome,
  commandSchema,
  type InterleavedOutcome,
  type Interleaving,
  type Order,
  type Outcome,
  type Prepared,
} from './protocol.ts';
import { READ_HERE } from './readings.ts';
import { READS_ELSEWHERE } from './relay.ts';
import { measureRoundTrip } from './round-trip.ts';
import { Standstill } from './standstill.ts';

/** What can be done to the order under way. */
interface Hold {
  stop: AbortController;
  /** When the window opens, once the harness has said so. */
  opening: PromiseWithResolvers<number>;
}

function newHold(): Hold {
  return { stop: new AbortController(), opening: Promise.withResolvers() };
}

/** Those that send for it; none where it sends itself. */
const HOSTS = process.argv.slice(2);

const asked = process.env[READS_ELSEWHERE]
  ? new AskedReadings((message) => process.send?.(message))
  : null;
const readings = asked?.readings ?? READ_HERE;

let hold: Hold | null = null;
/** The load that goes on, from when it is told to begin until the next one is. */
let batches: Batches | null = null;
const standstill = new Standstill();
/** For as long as the generator lives: the next slice goes on where the last one was. */
const cursors = new RequestCursors();

process.on('message', (message) => {
  if (asked?.take(message)) return;
  act(message).catch((error: unknown) => reply({ kind: 'failed', message: messageOf(error) }));
});
// Nothing that was measured before it can be trusted: the harness is told why, and starts another one.
process.on('uncaughtException', (error) => {
  process.send?.({ kind: 'failed', message: messageOf(error) }, () => process.exit(1));
});
// The harness is gone: so is the reason to live.
process.on('disconnect', () => process.exit());
// Ctrl-C may reach every process of a terminal; the harness decides when a slice ends.
process.on('SIGINT', () => {});

async function act(message: unknown): Promise<void> {
  const command = commandSchema.parse(message);
  if (command.kind !== 'stop' && command.kind !== 'open') standstill.reset();
  switch (command.kind) {
    case 'prepare':
      hold = newHold();
      reply(await takeOn(command.order, hold));
      break;
    case 'open':
      hold?.opening.resolve(command.atNs);
      break;
    case 'interleave':
      hold = newHold();
      reply(await interleave(command.interleaving, hold.stop.signal));
      break;
    case 'begin':
      hold = newHold();
      batches = new Batches(command.order, hold.stop.signal, cursors, readings);
      break;
    case 'batch':
      if (batches === null) throw new Error('there is no load to take a batch of');
      reply(await batches.take(command.window));
      break;
    case 'end':
      await batches?.end();
      reply({ kind: 'stopped' });
      break;
    case 'stop':
      hold?.stop.abort();
  }
}

/** What was measured around a standstill is no measurement. */
function reply(message: Prepared | Outcome | InterleavedOutcome[] | BatchOutcome): void {
  const { longestNs } = standstill;
  const stood = `it stood still for ${(longestNs / 1e9).toFixed(1)} s`;
  process.send?.(longestNs === 0 ? message : { kind: 'failed', message: stood });
}

async function takeOn(order: Order, { stop, opening }: Hold): Promise<Outcome> {
  const job = {
    stopped: stop.signal,
    ready: () => {
      reply({ kind: 'ready' });
      return opening.promise;
    },
  };
  const roundTrip = await roundTripTo(order);
  return withRoundTrip(roundTrip, await carryOut(order, () => loopOf(order), job, readings));
}

async function interleave(
  interleaving: Interleaving,
  stopped: AbortSignal,
): Promise<InterleavedOutcome[]> {
  const roundTrips: (RoundTrip | null)[] = [];
  for (const order of interleaving.orders) roundTrips.push(await roundTripTo(order));
  const outcomes = await carryOutInterleaving(interleaving, stopped, cursors, readings);
  return outcomes.map((outcome, place) => withRoundTrip(roundTrips[place] ?? null, outcome));
}

/** To a server of another machine; null where it is on this one, or nobody listens, which the load finds out. */
async function roundTripTo({ origin }: Order): Promise<RoundTrip | null> {
  return asked === null ? null : await measureRoundTrip(origin).catch(() => null);
}

/** An outcome with the round trip of the network that it was measured over. */
function withRoundTrip<T extends InterleavedOutcome>(roundTrip: RoundTrip | null, outcome: T): T {
  if (outcome.kind !== 'measured') return outcome;
  return { ...outcome, measurement: { ...outcome.measurement, roundTrip } };
}

async function loopOf(order: Order): Promise<Loop> {
  return order.kind === 'closed'
    ? closedLoop(order, cursors)
    : driverNamed(order.driver).loop(order, cursors, HOSTS);
}
