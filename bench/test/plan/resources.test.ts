import { describe, expect, test } from 'vitest';
import { makePlan, planVerification } from '../../src/plan/make-plan.ts';
import { cellOf, type Plan } from '../../src/plan/plan.ts';
import {
  BYTES_BESIDE,
  BYTES_PER_PROCESS,
  MEMORY_SHARE,
  memoryOf,
} from '../../src/plan/resources.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { frameworksPlan } from '../../src/suites/frameworks-plan.ts';
import { userError } from '../support/caught.ts';
import { makeMachine, makeOptions, makeTarget, STACK } from '../support/make-record.ts';

function planOf(parts: Partial<RunOptions> = {}, machine = makeMachine(), targets = STACK): Plan {
  return makePlan(frameworksPlan, makeOptions(parts), targets, machine);
}

/** A machine on which exactly so many server processes may be alive at once. */
function roomFor(processes: number) {
  const bytes = (BYTES_BESIDE + processes * BYTES_PER_PROCESS) / MEMORY_SHARE;
  return makeMachine({ memoryAvailableBytes: Math.ceil(bytes) });
}

const sorted = (ids: string[]) => [...ids].sort();

describe('limits', () => {
  test('servers share a launch as long as their memory fits', () => {
    const plan = planOf({ topologies: ['single', 2] }, roomFor(9));
    expect(plan.launches.map((groups) => groups.length)).toEqual([1, 1]);
  });

  test('otherwise topologies come one after the other', () => {
    const plan = planOf({ topologies: ['single', 2] }, roomFor(8));
    expect(plan.launches).not.toEqual([]);
    for (const groups of plan.launches) {
      const topologies = groups.map(({ cells }) => {
        return new Set(cells.map((id) => cellOf(plan, id).topology));
      });
      expect(topologies).toHaveLength(2);
      expect(new Set(topologies.flatMap((each) => [...each]))).toEqual(new Set(['single', '2']));
      for (const each of topologies) expect(each.size).toBe(1);
    }
  });

  test('a topology that does not fit is split, and every cell is in one group', () => {
    const plan = planOf({ topologies: [2] }, roomFor(4));
    expect(plan.launches).not.toEqual([]);
    for (const groups of plan.launches) {
      expect(groups.map(({ cells }) => cells.length).sort()).toEqual([1, 2]);
      const ids = groups.flatMap(({ cells }) => cells);
      expect(sorted(ids)).toEqual(sorted(plan.cells.map(({ id }) => id)));
    }
  });

  test('a server that does not fit alone is refused with what it needs', () => {
    const error = userError(() => planOf({ topologies: [4] }, roomFor(3)));
    expect(error.message).toMatch(
      /the largest server may need 1\.5 GB, and of the 1\.7 GB available 75 %/,
    );
    expect(error.next).toContain('--topology');
  });

  test('memory counts every server once, whatever its loads', () => {
    const { cells, topologies } = planOf({ topologies: ['single', 2] });
    expect(memoryOf(cells, topologies)).toBe(BYTES_BESIDE + 9 * BYTES_PER_PROCESS);
  });

  test('too few file descriptors are refused with the number needed', () => {
    const error = userError(() => planOf({}, makeMachine({ fileLimit: 1063 })));
    expect(error.message).toBe(
      '1000 connections need 1064 file descriptors a process, and 1063 are allowed',
    );
    expect(error.next).toContain('ulimit -Hn 1064');
    expect(() => planOf({}, makeMachine({ fileLimit: 1064 }))).not.toThrow();
    expect(() => planOf({}, makeMachine({ fileLimit: null }))).not.toThrow();
  });

  test('the cost load has to fit into the file descriptors as well, with the connections to all servers', () => {
    const tight = makeMachine({ fileLimit: 120 });
    expect(userError(() => planOf({ connections: 10 }, tight)).message).toContain('need 364 file');
    expect(() => planOf({ connections: 10, topologies: [2] }, tight)).not.toThrow();
  });

  test('a target that is not node is refused under any manager, not as a single process', () => {
    const targets = [makeTarget('foreign', { start: ['deno', 'main.ts'] })];
    const error = userError(() => planOf({ topologies: ['single', 2] }, makeMachine(), targets));
    expect(error.message).toBe('foreign starts with "deno": process managers can only run node');
    expect(error.next).toContain('--topology single');
    expect(() => planOf({}, makeMachine(), targets)).not.toThrow();
  });
});

describe('a target that scales without a manager', () => {
  const threads = { scale: { by: 'threads', env: 'GOMAXPROCS' } } as const;
  const targets = [
    makeTarget('go', { start: ['dist/server'], ...threads }),
    makeTarget('bun', { start: ['bun', 'main.ts'], scale: { by: 'reuse-port' } }),
    makeTarget('node'),
  ];

  test('has a number of cores as any other', () => {
    expect(() =>
      planOf({ topologies: ['single', 2, 'max'] }, makeMachine(), targets),
    ).not.toThrow();
  });

  test.each(['fork', 'pmx:2', 'cluster:2'] as const)('is refused as %s', (topology) => {
    const error = userError(() => planOf({ topologies: [topology] }, makeMachine(), targets));
    expect(error.message).toBe(
      `go scales by threads, without a process manager: it can't run as "${topology}"`,
    );
    expect(error.next).toBe('Measure it with --topology single, 2, … or max.');
  });
});

describe('verification', () => {
  test('starts every server once, in groups that fit', () => {
    const { topologies, groups } = planVerification(['single', 'max'], STACK, roomFor(12));
    expect(topologies.map(({ id }) => id)).toEqual(['single', '4']);
    const servers = groups.flat().map(({ server }) => server);
    expect(servers).toHaveLength(6);
    expect(new Set(servers).size).toBe(6);
    expect(groups.length).toBeGreaterThan(1);
  });

  test('needs no file descriptors, but memory and node', () => {
    const tight = { ...roomFor(3), fileLimit: 1 };
    expect(() => planVerification(['single'], STACK, tight)).not.toThrow();
    expect(userError(() => planVerification([4], STACK, tight)).message).toMatch(
      /not enough memory/,
    );
    const foreign = [makeTarget('foreign', { start: ['deno'] })];
    expect(userError(() => planVerification([2], foreign, makeMachine())).message).toMatch(/deno/);
  });
});

describe('servers that insist on one port', () => {
  const insisting = (name: string, fixedPort: number | null) => makeTarget(name, { fixedPort });

  test('are in groups of their own, with all their cells, beside those that do not', () => {
    const targets = [insisting('a', 80), insisting('b', 80), insisting('c', null)];
    const { groups } = planOf({ topologies: ['single'] }, makeMachine(), targets);
    expect(groups.map((group) => [...new Set(group.map((id) => id.split('/')[0]))])).toEqual([
      ['a', 'c'],
      ['b'],
    ]);
    expect(groups.flat()).toHaveLength(9);
  });

  test('of different ports are alive together', () => {
    const targets = [insisting('a', 80), insisting('b', 81)];
    expect(planOf({ topologies: ['single'] }, makeMachine(), targets).groups).toHaveLength(1);
  });
});
