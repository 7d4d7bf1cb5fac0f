import { describe, expect, test } from 'vitest';
import { type Load, loadSchema, type PilotResult } from '../../src/plan/loads.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { cluster } from '../../src/suites/cluster.ts';
import { makeOptions } from '../support/make-record.ts';
import { loadsOf as loadsBy, placedBy, topologiesOf } from './loads-of.ts';

const NONE: PilotResult = { kind: 'none' };
const ANSWERING: PilotResult = { kind: 'capacity', server: 'express/single', perS: 900 };
const serving = (ms: number): PilotResult => {
  return { kind: 'service', server: 'fib/single', serviceNs: ms * 1e6 };
};
const USUAL = { topologies: ['single', 2], pipelining: 10 } satisfies Partial<RunOptions>;

function loadsOf(basis: PilotResult, parts: Partial<RunOptions> = {}, cores = 4): Load[] {
  return loadsBy(cluster, { ...USUAL, ...parts }, basis, cores);
}

/** The load of this name. */
function named(id: string, loads: Load[]): Load {
  const load = loads.find((each) => each.id === id);
  if (load === undefined) throw new Error(`no ${id} among ${loads.map((each) => each.id)}`);
  return load;
}

const feasibleOf = (...asked: Parameters<typeof loadsOf>) => named('feasible', loadsOf(...asked));

describe('the loads', () => {
  test('are what can be answered, requests alone, and the overload', () => {
    const loads = loadsOf(serving(100), { durationS: 10, sliceS: 10 });
    const common = {
      kind: 'closed',
      headline: 'throughput',
      turnNs: 0,
      every: 1,
      blocks: 1,
      drainBetweenSlices: false,
    };
    const sliced = { method: 'sliced', sliceNs: 4e9, timeoutNs: 10e9 };
    const waitForAll = { ...common, ...sliced, pipelining: 1, waitForAll: true };
    const feasible = { id: 'feasible', words: 'under the feasible load', connections: 12 };
    const alone = { id: 'alone', words: 'with one request at a time', connections: 1 };
    expect(loads).toEqual([
      { ...waitForAll, ...feasible, saturates: true },
      { ...waitForAll, ...alone, saturates: false },
      {
        ...{ ...common, id: 'overload', words: 'under the overload', waitForAll: false },
        ...{ connections: 1000, pipelining: 10, saturates: true },
        ...{ method: 'contiguous', sliceNs: 10e9, timeoutNs: 10e9 },
      },
    ]);
    for (const load of loads) expect(loadSchema.parse(load)).toEqual(load);
  });

  test('let four requests be under way for each process of the largest topology', () => {
    expect(feasibleOf(serving(500)).connections).toBe(12);
    expect(feasibleOf(serving(500), { topologies: ['single', 6] }).connections).toBe(24);
    expect(feasibleOf(serving(500), { topologies: ['single', 40] }).connections).toBe(160);
  });

  test('let four be under way for each core, so that none is idle', () => {
    // A single process that can't be pinned has all cores.
    expect(feasibleOf(serving(500), { topologies: ['single'] }, 1).connections).toBe(4);
    expect(feasibleOf(serving(500), { topologies: [16] }, 16).connections).toBe(64);
    expect(feasibleOf(serving(500), { topologies: [2] }, 2).connections).toBe(8);
  });

  test.each([
    { ms: 50, connections: 20 },
    { ms: 30, connections: 33 },
    { ms: 10, connections: 100 },
    { ms: 0.02, connections: 100 },
  ])('let as many be under way as one process answers in a second: $ms ms', (given) => {
    expect(feasibleOf(serving(given.ms)).connections).toBe(given.connections);
  });

  test.each([
    { ms: 0.02, sliceS: 1 },
    { ms: 25, sliceS: 1 },
    { ms: 30, sliceS: 1.2 },
    { ms: 1000, sliceS: 40 },
  ])('have slices with 40 answers of a process: $ms ms', ({ ms, sliceS }) => {
    const loads = loadsOf(serving(ms));
    expect(named('feasible', loads).sliceNs).toBeCloseTo(sliceS * 1e9, 0);
    expect(named('alone', loads).sliceNs).toBeCloseTo(sliceS * 1e9, 0);
  });

  test.each([
    { ms: 0.02, timeoutS: 10 },
    { ms: 100, timeoutS: 10 },
    // 12 under way, one after the other: 6 s.
    { ms: 500, timeoutS: 30 },
    { ms: 2000, timeoutS: 120 },
  ])('wait five times as long as the longest queue takes: $ms ms', ({ ms, timeoutS }) => {
    const loads = loadsOf(serving(ms));
    expect(named('feasible', loads).timeoutNs).toBeCloseTo(timeoutS * 1e9, 0);
    expect(named('alone', loads).timeoutNs).toBeCloseTo(timeoutS * 1e9, 0);
    expect(named('overload', loads).timeoutNs).toBe(10e9);
  });

  test('change nothing but the overload where -c, -p and -d are given', () => {
    const given = { connections: 50, pipelining: 2, durationS: 3, sliceS: 3 };
    const [feasible, alone, overload] = loadsOf(serving(100), given);
    expect([feasible, alone]).toEqual(loadsOf(serving(100)).slice(0, 2));
    expect(overload).toMatchObject({ connections: 50, pipelining: 2, sliceNs: 3e9 });
  });

  test.each([NONE, ANSWERING])('can not be told without a service time', (basis) => {
    expect(() => loadsOf(basis)).toThrow('a service time');
  });
});

describe('the topologies', () => {
  const placedOn = (...topologies: RunOptions['topologies']) => {
    return placedBy(cluster, { topologies }, serving(100));
  };

  test('are all of them under what can be answered, and the overload', () => {
    const placed = placedOn(2, 'single', 'fork', 'cluster:2');
    for (const id of ['feasible', 'overload']) {
      expect(topologiesOf(id, placed)).toEqual(['2', 'single', 'fork', 'cluster:2']);
    }
  });

  test('are a single one where requests come alone: the plain process, or else the first', () => {
    expect(topologiesOf('alone', placedOn(2, 'single', 'fork'))).toEqual(['single']);
    expect(topologiesOf('alone', placedOn(2, 'fork', 'cluster:2'))).toEqual(['2']);
  });
});

test('the load of the pilot is one request at a time', () => {
  const pilot = cluster.pilot(makeOptions())?.load;
  const alone = { kind: 'closed', id: 'alone', connections: 1, pipelining: 1, method: 'sliced' };
  expect(pilot).toMatchObject({ ...alone, saturates: false, waitForAll: true });
});

test('rounds are the same however long the overload is, and more than one', () => {
  const short = cluster.rounds(makeOptions({ durationS: 1 }));
  expect(short).toBeGreaterThan(1);
  expect(cluster.rounds(makeOptions({ durationS: 100 }))).toBe(short);
});
