import { addAbortListener } from 'node:events';
import * as hdr from 'hdr-histogram-js';
import { plus } from '../math/counters.ts';
import type { Clock } from './clock.ts';
import type { Generator } from './generator.ts';
import type { Measurement } from './measurement.ts';
import type { Command, Order, Reply } from './protocol.ts';
import { encode } from './tally.ts';

/** Several generators, and those on another machine, learn this long in advance when their windows open, ns. */
export const NOTICE_NS = 1e7;

/**
 * Has these generators share one order: their windows open at the same instant. It ends early when `stopped` is
 * aborted, with the reply `stopped`, and when one can't go on. @throws when one dies, or replies anything else.
 */
export async function fanOut(
  generators: readonly Generator[],
  order: Order,
  stopped: AbortSignal,
  clock: Clock,
): Promise<Reply> {
  const stop = () => {
    for (const generator of generators) generator.stop();
  };
  const ask = async (generator: Generator, command: Command) => {
    const reply = await generator.ask(command);
    if (reply.kind !== 'ready' && reply.kind !== 'measured') stop();
    return reply;
  };
  const preparing = generators.map(async (generator, index) => {
    const share = shareOf(order, index, generators.length);
    return { generator, prepared: await ask(generator, { kind: 'prepare', order: share }) };
  });
  using _stopping = addAbortListener(stopped, stop);
  const all = await Promise.all(preparing);
  const atNs = clock.now() + (generators.length > 1 ? NOTICE_NS : 0);
  const replies = all.map(({ generator, prepared }) => {
    return prepared.kind === 'ready' ? ask(generator, { kind: 'open', atNs }) : prepared;
  });
  return (await Promise.all(replies)).reduce(mergeReplies);
}

/** The share of one of several generators. Connections add up exactly; the first alone reads the server's counters. */
export function shareOf(order: Order, index: number, generators: number): Order {
  const own = {
    connections: Math.ceil((order.connections - index) / generators),
    ...(index === 0 ? {} : NOTHING_TO_READ),
  };
  if (order.kind === 'open' || order.opening.when === 'at once') return { ...order, ...own };
  const batch = Math.max(1, Math.floor(order.opening.batch / generators));
  return { ...order, ...own, opening: { ...order.opening, batch } };
}

const NOTHING_TO_READ = {
  idleNsPerS: 0,
  pids: { server: [], manager: [], harness: [], services: {} },
  group: null,
  firstThreadOf: null,
};

/** The reply of two generators together: that of one that could not go on, rather than `stopped`, its consequence. */
export function mergeReplies(a: Reply, b: Reply): Reply {
  if (a.kind === 'measured' && b.kind === 'measured') {
    return { kind: 'measured', measurement: mergeMeasurements(a.measurement, b.measurement) };
  }
  return b.kind === 'measured' || (b.kind === 'stopped' && a.kind !== 'measured') ? a : b;
}

/**
 * One slice as two generators saw it: sums, also of CPU time and memory, which the first alone reads. The window and
 * the system are the first's, delays and caps the worst, turns those of the busier one, the likely bottleneck.
 */
export function mergeMeasurements(a: Measurement, b: Measurement): Measurement {
  const sum = plus(a, b, addHistograms);
  const { openedNs, windowNs, leadIn, isQuiet, mainThread, throttling, system, roundTrip } = a;
  const first = { openedNs, windowNs, leadIn, isQuiet, mainThread, throttling, system, roundTrip };
  return {
    ...sum,
    ...first,
    halfway: a.halfway && sum.halfway && { ...sum.halfway, ns: a.halfway.ns },
    blocks: sum.blocks.map((block, place) => ({ ...block, ns: a.blocks[place]?.ns ?? block.ns })),
    warmupCapped: a.warmupCapped || b.warmupCapped,
    turns: b.turns.idleNs < a.turns.idleNs ? b.turns : a.turns,
  };
}

function addHistograms(a: string, b: string): string {
  const sum = hdr.decodeFromCompressedBase64(a);
  sum.add(hdr.decodeFromCompressedBase64(b));
  return encode(sum);
}
