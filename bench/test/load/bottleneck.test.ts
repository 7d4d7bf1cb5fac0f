import { expect, test } from 'vitest';
import { idleShare, LEAST_IDLE_SHARE } from '../../src/load/bottleneck.ts';
import type { Measurement } from '../../src/load/measurement.ts';
import { makeMeasurement } from '../support/make-record.ts';

/** A window of 1 s, of a generator that never sleeps. */
function turning(all: number, empty: number): Measurement {
  return makeMeasurement({ turns: { all, empty, idleNs: empty * 780 } });
}

/** A window of 1 s, of generators that sleep and have used so much CPU together. */
function sleeping(cpuS: number, generators = 1): Measurement {
  return makeMeasurement({ generators, generatorCpuMs: cpuS * 1000 });
}

test.each<[string, Measurement, boolean]>([
  // Turns a second as they were seen, and how busy the server was meanwhile.
  ['Fastify at 0.89 of its core', turning(84, 0), true],
  ['node:http at 0.81 of its core', turning(7_253, 6_774), true],
  ['node:http at 0.86 of its core', turning(30_573, 29_197), true],
  ['Fastify at 0.99 of its core', turning(89_269, 64_095), false],
  ['Express at 0.99 of its core', turning(297_959, 252_371), false],
  ['node:http under the cost load', turning(258_556, 186_418), false],
  ['a short window, by its share of it', { ...turning(30_000, 27_000), windowNs: 2e8 }, false],
  ['a long one with the same turns', { ...turning(30_000, 27_000), windowNs: 2e9 }, true],
  ['one that sleeps, on nearly all of a core', sleeping(1 - LEAST_IDLE_SHARE / 2), true],
  ['one that sleeps a little longer', sleeping(1 - LEAST_IDLE_SHARE * 2), false],
  ['two that sleep, by the cores of both', sleeping(1.5, 2), false],
  ['two that sleep and use both', sleeping(1.98, 2), true],
])('of %s the generator was the limit: %3$s', (_what, measurement, isBound) => {
  expect(idleShare(measurement) < LEAST_IDLE_SHARE).toBe(isBound);
});
