import { describe, expect, test } from 'vitest';
import { makePlan, planVerification } from '../../src/plan/make-plan.ts';
import type { Plan } from '../../src/plan/plan.ts';
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

/** What each group of cells is of: a part of their names, from 0. */
const groupsBy = (part: number, { groups }: Plan) => {
  return groups.map((ids) => [...new Set(ids.map((id) => id.split('/')[part]))]);
};

const BOTH = { topologies: ['single', 2] } satisfies Partial<RunOptions>;

describe('memory', () => {
  test('has servers share a launch as long as all fit, and else topologies one after the other', () => {
    expect(groupsBy(1, planOf(BOTH, roomFor(9)))).toEqual([['single', '2']]);
    expect(groupsBy(1, planOf(BOTH, roomFor(8)))).toEqual([['single'], ['2']]);
  });

  test('parts a topology that does not fit, with every cell in one group', () => {
    const plan = planOf({ topologies: [2] }, roomFor(4));
    expect(plan.groups.map(({ length }) => length)).toEqual([2, 1]);
    expect(plan.groups.flat().sort()).toEqual(plan.cells.map(({ id }) => id).sort());
  });

  test('refuses a server that does not fit alone, with what it needs', () => {
    const error = userError(() => planOf({ topologies: [4] }, roomFor(3)));
    const needed = /the largest server may need 1\.5 GB, and of the 1\.7 GB available 75 %/;
    expect(error.message).toMatch(needed);
    expect(error.next).toContain('--topology');
  });

  test('counts every server once, whatever its loads', () => {
    const { cells, topologies } = planOf(BOTH);
    expect(memoryOf(cells, topologies)).toBe(BYTES_BESIDE + 9 * BYTES_PER_PROCESS);
  });
});

test('more connections to a server than there are local ports are refused', () => {
  const error = userError(() => planOf({}, makeMachine({ localPorts: 999 })));
  expect(error.message).toBe(
    '1000 connections to a server need a local port each, and this machine has 999',
  );
  expect(error.next).toContain('net.ipv4.ip_local_port_range');
  for (const localPorts of [1000, null]) planOf({}, makeMachine({ localPorts }));
});

describe('file descriptors', () => {
  test('that are too few are refused with the number needed', () => {
    const error = userError(() => planOf({}, makeMachine({ fileLimit: 1063 })));
    expect(error.message).toBe(
      '1000 connections need 1064 file descriptors a process, and 1063 are allowed',
    );
    expect(error.next).toContain('ulimit -Hn 1064');
    for (const fileLimit of [1064, null]) planOf({}, makeMachine({ fileLimit }));
  });

  test('are needed for the cost load as well, with its connections to all servers', () => {
    const tight = makeMachine({ fileLimit: 120 });
    expect(userError(() => planOf({ connections: 10 }, tight)).message).toContain('need 364 file');
    expect(() => planOf({ connections: 10, topologies: [2] }, tight)).not.toThrow();
  });
});

describe('a manager', () => {
  const scaling = [
    makeTarget('go', { start: ['dist/server'], scale: { by: 'threads', env: 'GOMAXPROCS' } }),
    makeTarget('bun', { start: ['bun', 'main.ts'], scale: { by: 'reuse-port' } }),
    makeTarget('node'),
  ];

  test('keeps Node alone; single processes may be anything', () => {
    const targets = [makeTarget('foreign', { start: ['deno', 'main.ts'] })];
    const error = userError(() => planOf({ topologies: [2] }, makeMachine(), targets));
    expect(error.message).toBe('foreign starts with "deno": process managers can only run node');
    expect(error.next).toContain('--topology single');
    const { cells } = planOf(BOTH, makeMachine(), targets);
    expect(new Set(cells.map(({ topology }) => topology))).toEqual(new Set(['single']));
  });

  test.each(['fork', 'pmx:2', 'cluster:2'] as const)(
    'keeps nothing that scales by itself, as %s, but that has a number of cores as any other',
    (topology) => {
      const planOn = (topologies: RunOptions['topologies']) => {
        return planOf({ topologies }, makeMachine(), scaling);
      };
      const error = userError(() => planOn([topology]));
      expect(error.message).toBe(
        `go scales by threads, without a process manager: it can't run as "${topology}"`,
      );
      expect(error.next).toBe('Measure it with --topology single, 2, … or max.');
      expect(() => planOn(['single', 2, 'max'])).not.toThrow();
      const { cells } = planOn([topology, 2]);
      expect(cells.filter(({ target }) => target === 'go').map((cell) => cell.topology)).toEqual([
        '2',
      ]);
    },
  );
});

describe('verification', () => {
  test('starts every server once, in groups that fit', () => {
    const { topologies, groups } = planVerification(['single', 'max'], STACK, roomFor(12));
    expect(topologies.map(({ id }) => id)).toEqual(['single', '4']);
    expect(groups.map(({ length }) => length)).toEqual([3, 3]);
    expect(new Set(groups.flat().map(({ server }) => server)).size).toBe(6);
  });

  test('needs no file descriptors, but memory and node', () => {
    const tight = makeMachine({ ...roomFor(3), fileLimit: 1 });
    const refusal = (topology: number, targets = STACK, machine = tight) => {
      return userError(() => planVerification([topology], targets, machine)).message;
    };
    expect(() => planVerification(['single'], STACK, tight)).not.toThrow();
    expect(refusal(4)).toMatch('not enough memory');
    expect(refusal(2, [makeTarget('foreign', { start: ['deno'] })], makeMachine())).toMatch('deno');
  });
});

test.each([
  { what: 'one port', ports: { a: 80, b: 80, c: null }, groups: [['a', 'c'], ['b']] },
  { what: 'different ports', ports: { a: 80, b: 81 }, groups: [['a', 'b']] },
])('servers that insist on $what: $groups, with all their cells', ({ ports, groups }) => {
  const targets = Object.entries(ports).map(([name, fixedPort]) => makeTarget(name, { fixedPort }));
  const plan = planOf({}, makeMachine(), targets);
  expect(groupsBy(0, plan)).toEqual(groups);
  expect(plan.groups.flat()).toHaveLength(3 * targets.length);
});
