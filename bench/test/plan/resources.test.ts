import { expect, test } from 'vitest';
import { planVerification } from '../../src/plan/make-plan.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { BYTES_BESIDE, BYTES_PER_PROCESS, MEMORY_SHARE } from '../../src/plan/resources.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import type { Machine } from '../../src/system/machine.ts';
import { userError } from '../support/caught.ts';
import { makeMachine, makeTarget, planOf, STACK } from '../support/make-record.ts';

/** The memory of a machine on which exactly so many server processes may be alive at once. */
function roomFor(processes: number): Partial<Machine> {
  const bytes = (BYTES_BESIDE + processes * BYTES_PER_PROCESS) / MEMORY_SHARE;
  return { memoryAvailableBytes: Math.ceil(bytes) };
}

const planOn = (machine: Partial<Machine>, options: Partial<RunOptions> = {}) => {
  return planOf(options, { machine: makeMachine(machine) });
};
/** The parts of cells' ids at this place, from 0, for each group. */
const groupsBy = (part: number, { groups }: Plan) => {
  return groups.map((ids) => [...new Set(ids.map((id) => id.split('/')[part]))]);
};

const BOTH = { topologies: ['single', 2] } satisfies Partial<RunOptions>;

test.each<[string, number, RunOptions['topologies'], string[]]>([
  ['share a launch as long as all fit', 9, ['single', 2], ['12 in single,2']],
  ['are alive topology by topology otherwise', 8, ['single', 2], ['9 in single', '3 in 2']],
  ['are split where a topology does not fit', 4, [2], ['2 in 2', '1 in 2']],
])('servers %s, each counted once: with room for %d', (_, processes, topologies, groups) => {
  const plan = planOn(roomFor(processes), { topologies });
  const names = groupsBy(1, plan);
  expect(plan.groups.map(({ length }, place) => `${length} in ${names[place]}`)).toEqual(groups);
  expect(plan.groups.flat().sort()).toEqual(plan.cells.map(({ id }) => id).sort());
});

const PORTS = /^1000 connections to a server need a local port each, and this machine has 999$/;
const FILES = /^1000 connections need 1064 file descriptors a process, and 1063 are allowed$/;
const MEMORY = /the largest server may need 1\.5 GB, and of the 1\.7 GB available 75 %/;

test.each<[string, Partial<Machine>, Partial<RunOptions>, RegExp, string]>([
  ['memory for the largest server', roomFor(3), { topologies: [4] }, MEMORY, '--topology'],
  ['local ports', { localPorts: 999 }, {}, PORTS, 'net.ipv4.ip_local_port_range'],
  ['file descriptors', { fileLimit: 1063 }, {}, FILES, 'ulimit -Hn 1064'],
  // With the connections of the cost load to all servers.
  ['descriptors for all', { fileLimit: 120 }, { connections: 10 }, /need 364 file/, 'ulimit'],
])('a machine without enough %s is refused', (_, machine, options, message, next) => {
  const error = userError(() => planOn(machine, options));
  expect(error.message).toMatch(message);
  expect(error.next).toContain(next);
});

test('a machine with just enough, or without limits, is not refused', () => {
  for (const localPorts of [1000, null]) planOn({ localPorts });
  for (const fileLimit of [1064, null]) planOn({ fileLimit });
  planOn({ fileLimit: 120 }, { connections: 10, topologies: [2] });
});

test.each([
  ['what is not Node', ['deno', 'main.ts'], 'deno'],
  ['what has options of Node first', ['node', '--inspect', 'main.js'], 'node --inspect'],
] as const)('process managers do not run %s; a single process may', (_, [...start], words) => {
  const targets = [makeTarget('foreign', { start })];
  const error = userError(() => planOf({ topologies: [2] }, { targets }));
  const message = `foreign starts with "${words}": process managers can only run node`;
  expect(error.message).toBe(message);
  expect(error.next).toContain('--topology single');
  const { cells } = planOf(BOTH, { targets });
  expect(new Set(cells.map(({ topology }) => topology))).toEqual(new Set(['single']));
  expect(userError(() => planVerification([2], targets, makeMachine())).message).toBe(message);
});

const SCALING = [
  makeTarget('go', { start: ['dist/server'], scale: { by: 'threads', env: 'GOMAXPROCS' } }),
  makeTarget('bun', { start: ['bun', 'main.ts'], scale: { by: 'reuse-port' } }),
  makeTarget('node'),
];
const KEPT = ['fork', 'pmx:2', 'cluster:2'] as const;
test.each(KEPT)('what scales by itself runs on a number of cores, never as %s', (topology) => {
  const planWith = (...topologies: RunOptions['topologies']) => {
    return planOf({ topologies }, { targets: SCALING });
  };
  expect(userError(() => planWith(topology))).toMatchObject({
    message: `go scales by threads, without a process manager: it can't run as "${topology}"`,
    next: 'Measure it with --topology single, 2, … or max.',
  });
  expect(() => planWith('single', 2, 'max')).not.toThrow();
  const own = planWith(topology, 2).cells.filter(({ target }) => target === 'go');
  expect(own.map((cell) => cell.topology)).toEqual(['2']);
});

test('a verification starts every server once, in groups that fit, whatever files may be open', () => {
  const machine = makeMachine({ ...roomFor(12), fileLimit: 1 });
  const { topologies, groups } = planVerification(['single', 'max'], STACK, machine);
  expect(topologies.map(({ id }) => id)).toEqual(['single', '4']);
  expect(groups.map(({ length }) => length)).toEqual([3, 3]);
  expect(new Set(groups.flat().map(({ server }) => server)).size).toBe(6);
  const large = () => planVerification([4], STACK, makeMachine(roomFor(3)));
  expect(userError(large).message).toContain('not enough memory');
});

test.each([
  { what: 'one port', ports: { a: 80, b: 80, c: null }, groups: [['a', 'c'], ['b']] },
  { what: 'different ports', ports: { a: 80, b: 81 }, groups: [['a', 'b']] },
])('servers with fixed ports, $what: $groups, with all their cells', ({ ports, groups }) => {
  const targets = Object.entries(ports).map(([name, fixedPort]) => makeTarget(name, { fixedPort }));
  const plan = planOf({}, { targets });
  expect(groupsBy(0, plan)).toEqual(groups);
  expect(plan.groups.flat()).toHaveLength(3 * targets.length);
});
