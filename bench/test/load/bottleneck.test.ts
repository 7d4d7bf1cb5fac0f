import { describe, expect, test } from 'vitest';
import { generatorBound, generatorsNeeded, LEAST_IDLE_SHARE } from '../../src/load/bottleneck.ts';
import type { Measurement } from '../../src/load/measurement.ts';
import type { Topology } from '../../src/plan/topology.ts';
import { makeLoad, makeMeasurement } from '../support/make-record.ts';

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
  expect(generatorBound(measurement)).toBe(isBound);
});

describe('the generators needed', () => {
  const bound = turning(80, 0);
  const free = turning(400_000, 380_000);
  const topology: Topology = {
    ...{ id: 'single', names: ['single'], manager: 'none', processes: 1 },
    ...{ cores: [3, 4], spareCores: [] },
  };

  test.each([
    ['are one more if they were the limit and a core is spare', bound, 1, [1, 2], 1000, 2],
    ['are one more than two there', bound, 2, [1, 2], 1000, 3],
    ['are as many as before if no core is left', bound, 1, [], 1000, 1],
    ['are no more than all cores', bound, 3, [1, 2], 1000, 3],
    ['are as many as before if they were not the limit', free, 2, [1, 2], 1000, 2],
    ['are never more than connections', bound, 2, [1, 2, 3], 2, 2],
  ])('%s', (_what, measurement, generators, spareCores, connections, needed) => {
    const own = { ...topology, spareCores };
    const slice = { ...measurement, generators };
    expect(generatorsNeeded(slice, own, makeLoad({ connections }))).toBe(needed);
  });
});
