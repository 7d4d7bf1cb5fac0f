import { describe, expect, test } from 'vitest';
import {
  generatorBound,
  generatorsNeeded,
  idleShare,
  LEAST_IDLE_SHARE,
} from '../../src/load/bottleneck.ts';
import type { Measurement } from '../../src/load/measurement.ts';
import type { Topology } from '../../src/plan/topology.ts';
import { makeLoad, makeMeasurement } from '../support/make-record.ts';

/** A window of 1 s, of a generator that never sleeps. */
function turning(all: number, empty: number): Measurement {
  return { ...makeMeasurement(), turns: { all, empty, idleNs: empty * 780 } };
}

/** A window of 1 s, of generators that sleep and have used so much CPU together. */
function sleeping(cpuS: number, generators = 1): Measurement {
  const { cpu, ...rest } = makeMeasurement();
  return { ...rest, generators, cpu: { ...cpu, generator: { cpuNs: cpuS * 1e9, waitNs: 0 } } };
}

describe('a generator that never sleeps', () => {
  test('is idle for as long as its empty turns take, however few the others are', () => {
    expect(idleShare(turning(1_300_000, 1_280_000))).toBeCloseTo(1, 2);
    expect(idleShare(turning(3_700, 2_400))).toBeLessThan(0.01);
  });

  // Turns a second as they were seen, and how busy the server was meanwhile.
  test.each([
    { all: 84, empty: 0, what: 'Fastify, at 0.89 of its core' },
    { all: 7_253, empty: 6_774, what: 'node:http, at 0.81 of its core' },
    { all: 30_573, empty: 29_197, what: 'node:http, at 0.86 of its core' },
  ])('was the limit of $what', ({ all, empty }) => {
    expect(generatorBound(turning(all, empty))).toBe(true);
  });

  test.each([
    { all: 89_269, empty: 64_095, what: 'Fastify, at 0.99 of its core' },
    { all: 297_959, empty: 252_371, what: 'Express, at 0.99 of its core' },
    { all: 258_556, empty: 186_418, what: 'node:http under the cost load' },
  ])('was not the limit of $what', ({ all, empty }) => {
    expect(generatorBound(turning(all, empty))).toBe(false);
  });

  test('is judged by its share of the window, not by a count', () => {
    const short = { ...turning(30_000, 27_000), windowNs: 0.2e9 };
    expect(generatorBound(short)).toBe(false);
    expect(generatorBound({ ...short, windowNs: 2e9 })).toBe(true);
  });
});

describe('a generator that sleeps', () => {
  test('was the limit where it used all of a core but the limit', () => {
    expect(generatorBound(sleeping(1 - LEAST_IDLE_SHARE / 2))).toBe(true);
    expect(generatorBound(sleeping(1 - LEAST_IDLE_SHARE * 2))).toBe(false);
  });

  test('is judged with the others by the cores of all', () => {
    expect(generatorBound(sleeping(1.5, 2))).toBe(false);
    expect(generatorBound(sleeping(1.98, 2))).toBe(true);
  });
});

describe('the generators needed', () => {
  const bound = turning(80, 0);
  const free = turning(400_000, 380_000);
  const topology: Topology = {
    ...{ id: 'single', names: ['single'], manager: 'none', processes: 1 },
    ...{ cores: [3, 4], spareCores: [] },
  };
  const needed = (measurement: Measurement, spareCores: number[], connections = 1000) => {
    return generatorsNeeded(measurement, { ...topology, spareCores }, makeLoad({ connections }));
  };

  test('are one more where they were the limit and a core is spare', () => {
    expect(needed(bound, [1, 2])).toBe(2);
    expect(needed({ ...bound, generators: 2 }, [1, 2])).toBe(3);
  });

  test('are as many as before where no core is left', () => {
    expect(needed(bound, [])).toBe(1);
    expect(needed({ ...bound, generators: 3 }, [1, 2])).toBe(3);
  });

  test('are as many as before where they were not the limit', () => {
    expect(needed(free, [1, 2])).toBe(1);
    expect(needed({ ...free, generators: 2 }, [1, 2])).toBe(2);
  });

  test('are never more than connections', () => {
    expect(needed(bound, [1, 2], 1)).toBe(1);
    expect(needed({ ...bound, generators: 2 }, [1, 2, 3], 2)).toBe(2);
  });
});
