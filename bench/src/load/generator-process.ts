/**
 * A generator process: it puts a load on a server, says when it is ready, opens the window when it is told to, and
 * replies with a measurement. It runs as a child with an IPC channel.
 */
import { messageOf } from '../base/errors.ts';
import { type Batches, batchesOf } from './batches.ts';
import { closedLoop } from './closed-loop.ts';
import { driverNamed } from './drivers.ts';
import { carryOutInterleaving } from './interleaving.ts';
import { carryOut, type Job } from './loop.ts';
import { RequestCursors } from './mix.ts';
import { commandSchema, type Order, type Outcome, type Reply } from './protocol.ts';
import { READ_HERE, remoteReadings } from './readings.ts';
import { READS_REMOTELY } from './relay.ts';
import { watchStalls } from './stall.ts';

/** The hosts that send for it; none where it sends by itself. */
const HOSTS = process.argv.slice(2);

const remote = process.env[READS_REMOTELY]
  ? remoteReadings((request) => process.send?.(request))
  : null;
const stalls = watchStalls();
/** As long as the generator lives: the next slice goes on where the last one was. */
const cursors = new RequestCursors();

/** Ends early what is under way. */
let stop = new AbortController();
/** When the window opens, once the harness has said so. */
let opening = Promise.withResolvers<number>();
/** The load that goes on, from `begin` until the next one. */
let batches: Batches | null = null;

process.on('message', (message) => {
  if (remote?.take(message)) return;
  act(message).catch((error: unknown) => reply({ kind: 'failed', message: messageOf(error) }));
});
// Nothing that was measured before it can be trusted: the harness is told why, and starts another generator.
process.on('uncaughtException', (error) => {
  process.send?.({ kind: 'failed', message: messageOf(error) }, () => process.exit(1));
});
// The harness is gone, and with it the reason to live.
process.on('disconnect', () => process.exit());
// Ctrl-C may reach every process of a terminal; the harness decides when a slice ends.
process.on('SIGINT', () => {});

async function act(message: unknown): Promise<void> {
  const command = commandSchema.parse(message);
  if (command.kind === 'stop') return stop.abort();
  if (command.kind === 'open') return opening.resolve(command.atNs);
  stalls.reset();
  switch (command.kind) {
    case 'prepare':
      return reply(await measure(command.order, newJob()));
    case 'interleave': {
      const outcomes = await carryOutInterleaving(command.interleaving, newJob());
      return reply({ kind: 'interleaved', outcomes });
    }
    case 'begin':
      batches = batchesOf(command.order, newJob());
      return reply({ kind: 'ready' });
    case 'batch':
      if (batches === null) throw new Error('a batch without a load');
      return reply(await batches.take(command.window));
    case 'end':
      await batches?.end();
      return reply({ kind: 'ready' });
  }
}

function newJob(): Job {
  stop = new AbortController();
  opening = Promise.withResolvers();
  return { stopped: stop.signal, cursors, readings: remote?.readings ?? READ_HERE };
}

function measure(order: Order, job: Job): Promise<Outcome> {
  const start = async () => {
    return order.kind === 'closed'
      ? closedLoop(order, cursors)
      : driverNamed(order.driver).loop(order, cursors, HOSTS);
  };
  const ready = () => {
    reply({ kind: 'ready' });
    return opening.promise;
  };
  return carryOut(order, start, ready, job);
}

/** What was measured around a stall is no measurement. */
function reply(message: Reply): void {
  const longestNs = stalls.longestNs();
  const stalled = `it stood still for ${(longestNs / 1e9).toFixed(1)} s`;
  process.send?.(longestNs === 0 ? message : { kind: 'failed', message: stalled });
}
