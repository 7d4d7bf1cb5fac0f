import { afterAll, beforeAll } from 'vitest';
import { type Generator, startGenerator } from '../../src/load/generator.ts';
import type { OwnPlace } from '../support/leftovers.ts';

/** A generator process for all tests of a file, from the first one on. */
export function shareGenerator(place: OwnPlace): { readonly generator: Generator } {
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
  };
}
