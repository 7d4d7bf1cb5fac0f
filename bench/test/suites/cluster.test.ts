import { describe, expect, test } from 'vitest';
import { type Load, loadSchema, type PilotResult } from '../../src/plan/loads.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { cluster } from '../../src/suites/cluster.ts';
import { makeOptions } from '../support/make-record.ts';
import { loadsOf as loadsBy, placedBy, topologiesOf } from './loads-of.ts';

const serving = (ms: number): PilotResult => {
  return { kind: 'service', server: 'fib/single', serviceNs: ms * 1e6 };
};
const USUAL = { topologies: ['single', 2], pipelining: 10 } satisfies Partial<RunOptions>;

function loadsOf(ms: number, parts: Partial<RunOptions> = {}, cores = 4): Load[] {
  return loadsBy(cluster, { ...USUAL, ...parts }, serving(ms), cores);
}

const SLICED = {
  ...{ kind: 'closed', headline: 'throughput', method: 'sliced', everyNthRound: 1, pipelining: 1 },
  ...{ waitForAll: true, minLoopTurnNs: 0, blocks: 1, drainBetweenSlices: false },
};

test('the loads are what can be answered, requests alone, and the overload as it is asked for', () => {
  const asked = { connections: 50, pipelining: 2, durationS: 3, sliceS: 3 };
  const loads = loadsOf(100, asked);
  const feasible = { id: 'feasible', label: 'under the feasible load', connections: 12 };
  const alone = { id: 'alone', label: 'with one request at a time', connections: 1 };
  const timing = { sliceNs: 4e9, timeoutNs: 10e9 };
  expect(loads).toEqual([
    { ...SLICED, ...feasible, ...timing, saturates: true },
    { ...SLICED, ...alone, ...timing, saturates: false },
    {
      ...{ ...SLICED, id: 'overload', label: 'under the overload', waitForAll: false },
      ...{ connections: 50, pipelining: 2, saturates: true },
      ...{ method: 'contiguous', sliceNs: 3e9, timeoutNs: 10e9 },
    },
  ]);
  for (const load of loads) expect(loadSchema.parse(load)).toEqual(load);
  expect(cluster.rounds(makeOptions({ durationS: 1 }))).toBe(2);
});

test.each<[number, Partial<RunOptions>, number, number]>([
  // Four for each process of the largest topology, …
  [500, {}, 4, 12],
  [500, { topologies: ['single', 40] }, 4, 160],
  // … for each core of one that has them all, …
  [500, { topologies: ['single'] }, 1, 4],
  [500, { topologies: [16] }, 16, 64],
  // … or as many as one process answers in a second.
  [50, {}, 4, 20],
  [30, {}, 4, 33],
  [0.02, {}, 4, 100],
])(
  'of requests of %d ms, with %j on %d cores, %d are under way',
  (ms, parts, cores, connections) => {
    expect(loadsOf(ms, parts, cores)[0]).toMatchObject({ id: 'feasible', connections });
  },
);

test.each([
  { ms: 0.02, sliceS: 1, timeoutS: 10 },
  { ms: 30, sliceS: 1.2, timeoutS: 10 },
  // 12 under way, one after the other: 6 s.
  { ms: 500, sliceS: 20, timeoutS: 30 },
  { ms: 2000, sliceS: 80, timeoutS: 120 },
])('slices hold 40 answers of $ms ms, and five times the longest queue is waited for', (given) => {
  const [feasible, alone, overload] = loadsOf(given.ms);
  for (const load of [feasible, alone]) {
    expect(load?.sliceNs).toBeCloseTo(given.sliceS * 1e9, 0);
    expect(load?.timeoutNs).toBeCloseTo(given.timeoutS * 1e9, 0);
  }
  expect(overload?.timeoutNs).toBe(10e9);
});

test.each<PilotResult>([
  { kind: 'none' },
  { kind: 'capacity', server: 'express/single', perS: 900 },
])('there is no load without a service time', (pilot) => {
  expect(() => loadsBy(cluster, USUAL, pilot)).toThrow('a service time');
});

describe('the topologies', () => {
  const placedOn = (...topologies: RunOptions['topologies']) => {
    return placedBy(cluster, { topologies }, serving(100));
  };

  test('are all of them, but a plain one, or else the first, where requests come alone', () => {
    const placed = placedOn(2, 'single', 'fork', 'cluster:2');
    for (const id of ['feasible', 'overload']) {
      expect(topologiesOf(id, placed)).toEqual(['2', 'single', 'fork', 'cluster:2']);
    }
    expect(topologiesOf('alone', placed)).toEqual(['single']);
    expect(topologiesOf('alone', placedOn(2, 'fork', 'cluster:2'))).toEqual(['2']);
  });
});

test('the load of the pilot is one request at a time', () => {
  const alone = { id: 'alone', connections: 1, pipelining: 1, saturates: false, waitForAll: true };
  expect(cluster.pilot(makeOptions())?.load).toMatchObject(alone);
});
