import { expect, test } from 'vitest';
import { type Cell, cellFor, cellOf, type Group, loadOf, type Plan } from '../../src/plan/plan.ts';
import type { Failure } from '../../src/record/record.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { failedServers, type Step, stepsAfter, stepsOf, stepsOfPlan } from '../../src/run/steps.ts';
import { failuresOf } from '../support/failures.ts';
import { makeRecord, makeTarget, planOf as makeTestPlan } from '../support/make-record.ts';

const TARGETS = ['a', 'b'].map((name) => makeTarget(name));
const CANNED = [makeTarget('canned')];
const NOBODY: typeof CANNED = [];
const NONE: ReadonlySet<string> = new Set();
const FAILED = new Set(['a/single']);
const CONTIGUOUS = { contiguous: true, sliceS: 6 };
const BOTH: Partial<RunOptions> = { topologies: ['single', 2] };

const planOf = (options: Partial<RunOptions> = {}, probes = NOBODY, targets = TARGETS) => {
  return makeTestPlan(options, { targets, probes });
};

function firstGroup(plan: Plan): Group {
  const [[group] = []] = plan.launches;
  if (group === undefined) throw new Error('the plan has no launch');
  return group;
}

const stepsIn = (plan: Plan, failed = NONE) => stepsOf(plan, firstGroup(plan), failed);
const slicesIn = (steps: Step[]) => steps.filter((step) => step.kind === 'slices');
const idsOf = (cells: readonly Cell[]) => cells.map(({ id }) => id);
const measuredIn = (steps: Step[]) => slicesIn(steps).flatMap(({ cells }) => idsOf(cells));
const interleavedIn = (steps: Step[]) => slicesIn(steps).filter(({ cells }) => cells.length > 1);

test('a launch starts its servers, takes the slices round by round, interleaved ones first, and stops', () => {
  const plan = planOf({ durationS: 4, launches: 2, connections: 50 });
  const [first = [], second = []] = firstGroup(plan).rounds;
  const under = (load: string, order: string[]) => {
    return order.map((id) => cellOf(plan, id)).filter((cell) => cell.load === load);
  };
  const alone = (order: string[], round: number) => {
    return under('custom', order).map((cell) => ({ kind: 'slices', cells: [cell], round }));
  };
  const topology = 'single';
  const servers = ['a', 'b'].map((target) => ({ server: `${target}/single`, target, topology }));
  expect(stepsIn(plan)).toEqual([
    { kind: 'start', servers },
    { kind: 'idle' },
    { kind: 'slices', cells: under('cost', first), round: 0 },
    { kind: 'slices', cells: under('low', first), round: 0 },
    ...alone(first, 0),
    { kind: 'end of round', round: 0 },
    ...alone(second, 1),
    { kind: 'end of round', round: 1 },
    { kind: 'stop' },
  ]);
  // The cost load and the low one have one slice for all of the launch.
  expect([first.length, second.length]).toEqual([6, 2]);
});

test.each<[string, Partial<RunOptions>, string[]]>([
  ['no server, if all are interleaved', { connections: 50 }, []],
  ['servers that are not interleaved', BOTH, ['a/2/published', 'b/2/published']],
  ['no server without time for it', { ...BOTH, warmupS: 0 }, []],
  ['the server of a contiguous launch', CONTIGUOUS, ['a/single/published']],
])('a launch warms up %s, and then measures idle use once', (_, parts, warmed) => {
  const steps = stepsIn(planOf(parts, CANNED));
  const warmUps = steps.flatMap((step) => (step.kind === 'warm-up' ? idsOf(step.cells) : []));
  expect(warmUps.toSorted()).toEqual(warmed);
  const kinds = steps.map(({ kind }) => kind);
  expect(kinds.indexOf('idle')).toBe(1 + warmed.length);
  expect(kinds.filter((kind) => kind === 'idle')).toHaveLength(1);
});

test('an interleaving has more than one cell, and none in a special arrangement', () => {
  const plan = planOf();
  const steps = stepsIn(plan, FAILED);
  expect(interleavedIn(steps)).toEqual([]);
  expect(steps).toContainEqual({
    kind: 'slices',
    cells: [cellOf(plan, 'b/single/cost')],
    round: 0,
  });
  const own = cellOf(plan, 'a/single/cost');
  const sampled = cellFor(own, loadOf(plan, 'cost'), 'sampled');
  const cells = [sampled.id, own.id];
  const group = { cells, idle: [], unverified: [], rounds: [cells] };
  const arranged = { ...plan, cells: [...plan.cells, sampled] };
  expect(interleavedIn(stepsOf(arranged, group, NONE))).toEqual([]);
});

test('an interleaving is split evenly if its servers would rest for too long, with each cell in one part', () => {
  const names = Array.from({ length: 45 }, (_, index) => `server-${index}`);
  const targets = names.map((name) => makeTarget(name));
  const plan = planOf({ topologies: ['single', 'max'] }, [], targets);
  const parts = interleavedIn(stepsIn(plan)).map(({ cells }) => idsOf(cells));
  // Turns take 50 ms.
  expect(parts.map(({ length }) => length)).toEqual([23, 22, 23, 22]);
  const all = names.flatMap((name) => [`${name}/single/cost`, `${name}/single/low`]);
  expect(parts.flat().toSorted()).toEqual(all.toSorted());
});

test('a failed server is not started, warmed up or measured, and does not change the order of the others', () => {
  const plan = planOf(BOTH);
  const steps = stepsIn(plan, FAILED);
  expect(JSON.stringify(steps)).not.toContain('a/single');
  // The one that was interleaved with it is measured at its own place.
  const isAway = (id: string) => id.startsWith('a/single') || /^b.single.(cost|low)$/.test(id);
  const left = (all: Step[]) => measuredIn(all).filter((id) => !isAway(id));
  expect(left(steps)).toEqual(left(stepsIn(plan)));
  // Nothing is left to do if it was the last.
  expect(stepsIn(planOf(CONTIGUOUS), FAILED)).toEqual([]);
});

test('a failed server is one that was measured in no launch but the one that it failed in', () => {
  const record = makeRecord({ targets: TARGETS, options: { launches: 3 } }, (cell, launch) => {
    return launch === 0 || cell.target === 'b' ? {} : null;
  });
  const failedBy = (failures: Failure[]) => [...failedServers({ ...record, failures })];
  expect(failedBy([])).toEqual([]);
  expect(failedBy(failuresOf('a/single', [1]))).toEqual([]);
  // Another server's slices don't count, and once is enough.
  const both = [...failuresOf('a/single', [0]), ...failuresOf('b/single', [0])];
  expect(failedBy(both)).toEqual(['a/single']);
  expect(failedBy(failuresOf('a/single', [0, 1]))).toEqual(['a/single']);
  const unmeasured = { ...record, slices: [], failures: failuresOf('b/single', [1]) };
  expect([...failedServers(unmeasured)]).toEqual(['b/single']);
});

const recordOf = (parts: Partial<RunOptions>, failures: Failure[] = []) => {
  const options = { launches: 2, ...parts };
  return makeRecord({ targets: TARGETS, options, failures }, () => null);
};

test('the steps still planned are those of the other groups of a launch, and of all later launches', () => {
  const record = recordOf(CONTIGUOUS);
  const [[first, ...others] = [], second = []] = record.plan.launches;
  const [last] = second.slice(-1);
  if (first === undefined || last === undefined) throw new Error('the plan has no launch');
  const after = [...others, ...second].flatMap((group) => stepsOf(record.plan, group, NONE));
  expect(stepsAfter(record, 0, first)).toEqual(after);
  expect(others).toHaveLength(1);
  expect(stepsAfter(record, 1, last)).toEqual([]);
  expect(stepsOfPlan(record.plan)).toEqual([...stepsOf(record.plan, first, NONE), ...after]);
});

test('the steps still planned leave out the servers that have failed so far', () => {
  const record = recordOf({}, failuresOf('a/single', [0]));
  const after = stepsAfter(record, 0, firstGroup(record.plan));
  // For the other in the second launch: three rounds, the cost load and the low one.
  expect(measuredIn(after)).toHaveLength(5);
  expect(JSON.stringify(after)).not.toContain('a/single');
});
