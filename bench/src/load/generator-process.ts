/** A generator process, a child with an IPC channel: it carries out commands and replies with what it measured. */
import { messageOf } from '../base/errors.ts';
import { beginBatches, closedLoop } from './closed-loop.ts';
import { DRIVERS } from './drivers.ts';
import { carryOutInterleaving } from './interleaving.ts';
import { carryOut, type Job } from './loop.ts';
import { RequestCursors } from './mix.ts';
import { commandSchema, type Order, type Outcome, READS_REMOTELY, type Reply } from './protocol.ts';
import { READ_HERE, remoteReadings } from './readings.ts';
import { watchStalls } from './stall.ts';

/** The hosts that send for it; none if it sends by itself. */
const HOSTS = process.argv.slice(2);

const remote = process.env[READS_REMOTELY]
  ? remoteReadings((request) => process.send?.(request))
  : null;
const stalls = watchStalls();
/** Shared by all slices: the next one continues where the last one was. */
const cursors = new RequestCursors();
let stop = new AbortController();
/** The instant at which the harness has the window open. */
let opening = Promise.withResolvers<number>();
/** The running load, from `begin` to the next one. */
let batches: Awaited<ReturnType<typeof beginBatches>> | null = null;

process.on('message', (message) => {
  if (remote?.take(message)) return;
  act(message).catch((error: unknown) => reply({ kind: 'failed', message: messageOf(error) }));
});
// No measurement can be trusted any more: the harness learns why, and starts another generator.
process.on('uncaughtException', (error) => {
  process.send?.({ kind: 'failed', message: messageOf(error) }, () => process.exit(1));
});
// The harness is gone.
process.on('disconnect', () => process.exit());
// Ctrl-C reaches all processes of a terminal; the harness decides when a slice ends.
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
      batches = await beginBatches(command.order, newJob());
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
  const start = () => {
    if (order.kind === 'closed') return closedLoop(order, cursors);
    return DRIVERS[order.driver].loop(order, cursors, HOSTS);
  };
  const ready = () => {
    reply({ kind: 'ready' });
    return opening.promise;
  };
  return carryOut(order, start, ready, job);
}

/** Replies, or says that it stalled: then nothing was measured. */
function reply(message: Reply): void {
  const longestNs = stalls.longestNs();
  const stalled = `it stood still for ${(longestNs / 1e9).toFixed(1)} s`;
  process.send?.(longestNs === 0 ? message : { kind: 'failed', message: stalled });
}
