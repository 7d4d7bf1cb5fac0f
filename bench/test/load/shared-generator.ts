import { afterAll, beforeAll } from 'vitest';
import { SYSTEM_CLOCK } from '../../src/load/clock.ts';
import { type Generator, startGenerator } from '../../src/load/generator.ts';
import type { Measurement } from '../../src/load/measurement.ts';
import type { Order, Outcome } from '../../src/load/protocol.ts';
import { measureTogether } from '../../src/load/together.ts';
import type { OwnPlace } from '../support/leftovers.ts';

export const NEVER = new AbortController().signal;

/** What this generator comes to with an order. */
export function carryOutBy(
  generator: Generator,
  order: Order,
  stopped: AbortSignal = NEVER,
): Promise<Outcome> {
  return measureTogether([generator], order, stopped, SYSTEM_CLOCK);
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
    carryOut: (order: Order, stopped?: AbortSignal) => carryOutBy(generator, order, stopped),
    /** What is measured by this order. */
    measure: async (order: Order): Promise<Measurement> => {
      const outcome = await carryOutBy(generator, order);
      if (outcome.kind === 'measured') return outcome.measurement;
      throw new Error(`the generator answered ${JSON.stringify(outcome)}`);
    },
  };
}
