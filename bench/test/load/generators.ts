/** Generators in a process of their own or in none, what they read, and what they measure. */
import * as hdr from 'hdr-histogram-js';
import { afterAll, beforeAll } from 'vitest';
import { SYSTEM_CLOCK } from '../../src/load/clock.ts';
import { fanOut } from '../../src/load/fan-out.ts';
import { type Generator, startGenerator } from '../../src/load/generator.ts';
import type { Measurement } from '../../src/load/measurement.ts';
import type { Order, Reply } from '../../src/load/protocol.ts';
import { READ_HERE, type Readings } from '../../src/load/readings.ts';
import type { OwnPlace } from '../support/leftovers.ts';

export const NEVER = new AbortController().signal;

/** Readings by which a server has used as much CPU time as this says, ns. */
export function readingsOf(serverCpuNs: () => number): Readings {
  const turnCounters: Readings['turnCounters'] = async (sources) => {
    const server = { cpuNs: serverCpuNs(), waitNs: 0 };
    const counters = await READ_HERE.turnCounters(sources);
    return { ...counters, cpu: { ...counters.cpu, server } };
  };
  return { ...READ_HERE, turnCounters };
}

/** A generator without a process, which replies by this. */
export function fakeGenerator(ask: Generator['ask'], stop = () => {}): Generator {
  return { ask, stop, async [Symbol.asyncDispose]() {} };
}

/** What this generator comes to with an order. */
export function carryOutBy(generator: Generator, order: Order, stopped = NEVER): Promise<Reply> {
  return fanOut([generator], order, stopped, SYSTEM_CLOCK);
}

/** A generator process for all tests of a file, from the first one on. */
export function shareGenerator(place: OwnPlace) {
  let generator: Generator;
  beforeAll(async () => {
    generator = await startGenerator(null);
    place.keep();
  });
  afterAll(() => generator[Symbol.asyncDispose]());
  return {
    get generator() {
      return generator;
    },
    carryOut: (order: Order) => carryOutBy(generator, order),
    /** What is measured by this order. */
    measure: async (order: Order) => measuredIn(await carryOutBy(generator, order)),
  };
}

/** The measurement that is the reply. */
export function measuredIn(reply: Reply | undefined): Measurement {
  if (reply?.kind === 'measured') return reply.measurement;
  throw new Error(`the generator replied ${JSON.stringify(reply)}`);
}

export function latenciesOf({ latencyHistogram }: Measurement): hdr.Histogram {
  return hdr.decodeFromCompressedBase64(latencyHistogram);
}
