import { describe, expect, test } from 'vitest';
import { makePlan } from '../../src/plan/make-plan.ts';
import { cellFor, cellOf, type Group, loadOf, type Plan } from '../../src/plan/plan.ts';
import type { Failure } from '../../src/record/record.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { brokenIn, type Step, stepsAfter, stepsOf, stepsOfPlan } from '../../src/run/steps.ts';
import { frameworks } from '../../src/suites/frameworks.ts';
import { makeMachine, makeOptions, makeRecord, makeTarget } from '../support/make-record.ts';

const TARGETS = ['a', 'b'].map((name) => makeTarget(name));
const NONE: ReadonlySet<string> = new Set();
const UNBROKEN = { contiguous: true, sliceS: 6 };
const BOTH: Partial<RunOptions> = { topologies: ['single', 2] };

function planOf(
  parts: Partial<RunOptions> = {},
  targets = TARGETS,
  probing = [] as typeof TARGETS,
) {
  return makePlan(frameworks, makeOptions(parts), targets, makeMachine(), { probing });
}

function firstGroup(plan: Plan): Group {
  const [[group] = []] = plan.launches;
  if (group === undefined) throw new Error('the plan has no launch');
  return group;
}

const stepsIn = (plan: Plan, broken = NONE) => stepsOf(plan, firstGroup(plan), broken);
const kindsOf = (steps: Step[]) => steps.map(({ kind }) => kind);
const slicesIn = (steps: Step[]) => steps.filter((step) => step.kind === 'slices');
const measuredIn = (steps: Step[]) => slicesIn(steps).flatMap(({ cells }) => cells);
const warmedIn = (steps: Step[]) => {
  return steps.flatMap((step) => (step.kind === 'warm-up' ? [step.cell] : []));
};

function failureOf(server: string, launch = 0): Failure {
  return { server, launch, when: 'slice', message: '', logTail: [], died: true };
}

describe('a launch', () => {
  test('starts its servers, takes the slices round by round, those of several cells first, and stops', () => {
    const plan = planOf({ durationS: 4, launches: 2, connections: 50 });
    const [first = [], second = []] = firstGroup(plan).rounds;
    const alone = (order: string[], round: number) => {
      const cells = order.filter((id) => loadOf(plan, cellOf(plan, id).load).id === 'custom');
      return cells.map((cell) => ({ kind: 'slices', cells: [cell], round }));
    };
    const [cost, low] = ['/cost', '/low'].map((end) => first.filter((id) => id.endsWith(end)));
    const servers = ['a', 'b'].map((target) => {
      return { server: `${target}/single`, target, topology: 'single' };
    });
    expect(stepsIn(plan)).toEqual([
      { kind: 'start', servers },
      { kind: 'idle' },
      { kind: 'slices', cells: cost, round: 0 },
      { kind: 'slices', cells: low, round: 0 },
      ...alone(first, 0),
      { kind: 'end of round', round: 0 },
      ...alone(second, 1),
      { kind: 'end of round', round: 1 },
      { kind: 'stop' },
    ]);
    // The cost load is on once, for all of the launch, and so is the low one.
    expect([first.length, second.length]).toEqual([6, 2]);
  });

  test.each<[string, Partial<RunOptions>, string[]]>([
    ['nobody, where all are interleaved', { connections: 50 }, []],
    ['who is not interleaved, by itself', BOTH, ['a/2/published', 'b/2/published']],
    ['nobody, where no time is for it', { ...BOTH, warmupS: 0 }, []],
    ['the one that an unbroken launch is of', UNBROKEN, ['a/single/published']],
  ])('warms up %s, and then looks once what servers use idle', (_, parts, warmed) => {
    const steps = stepsIn(planOf(parts, TARGETS, [makeTarget('canned')]));
    expect(warmedIn(steps).toSorted()).toEqual(warmed);
    const kinds = kindsOf(steps);
    expect(kinds.indexOf('idle')).toBe(1 + warmed.length);
    expect(kinds.filter((kind) => kind === 'idle')).toHaveLength(1);
  });

  test('measures probes too, which nothing warms up', () => {
    const steps = stepsIn(planOf({ topologies: [2] }, TARGETS, [makeTarget('canned')]));
    expect(measuredIn(steps)).toContain('canned/2/published');
  });

  test('of a single cell has one slice', () => {
    const kinds = ['start', 'warm-up', 'idle', 'slices', 'end of round', 'stop'];
    expect(kindsOf(stepsIn(planOf(UNBROKEN)))).toEqual(kinds);
  });

  test('starts idle servers too, which it neither warms up nor measures', () => {
    const plan = planOf();
    const idle = [{ server: 'idle/single', target: 'idle', topology: 'single' }];
    const [start, ...steps] = stepsOf(plan, { ...firstGroup(plan), idle }, NONE);
    const servers = start?.kind === 'start' ? start.servers.map(({ server }) => server) : [];
    expect(servers).toEqual(['a/single', 'b/single', 'idle/single']);
    expect(steps).toEqual(stepsIn(plan).slice(1));
  });
});

describe('what is interleaved', () => {
  const together = (steps: Step[]) => slicesIn(steps).filter(({ cells }) => cells.length > 1);

  test('is no cell that is left alone', () => {
    const steps = stepsIn(planOf(), new Set(['a/single']));
    expect(together(steps)).toEqual([]);
    expect(steps).toContainEqual({ kind: 'slices', cells: ['b/single/cost'], round: 0 });
  });

  test('is no cell for which something is arranged', () => {
    const plan = planOf();
    const own = cellOf(plan, 'a/single/cost');
    const sampled = cellFor(own, loadOf(plan, 'cost'), 'sampled');
    const cells = [sampled.id, own.id];
    const group = { cells, idle: [], unverified: [], rounds: [cells] };
    const steps = stepsOf({ ...plan, cells: [...plan.cells, sampled] }, group, NONE);
    expect(together(steps)).toEqual([]);
  });

  test('are equal parts, where all are too many to rest for so long, and each cell is in one', () => {
    const names = Array.from({ length: 45 }, (_, index) => `server-${index}`);
    const plan = planOf(
      { topologies: ['single', 'max'] },
      names.map((name) => makeTarget(name)),
    );
    const parts = together(stepsIn(plan)).map(({ cells }) => cells);
    // Of turns of 50 ms.
    expect(parts.map(({ length }) => length)).toEqual([23, 22, 23, 22]);
    const all = names.flatMap((name) => [`${name}/single/cost`, `${name}/single/low`]);
    expect(parts.flat().toSorted()).toEqual(all.toSorted());
  });
});

describe('a server that has failed', () => {
  const BROKEN = new Set(['a/single']);

  test('is not started, warmed up or measured any more, and leaves the order of the others', () => {
    const plan = planOf(BOTH);
    const steps = stepsIn(plan, BROKEN);
    expect(JSON.stringify(steps)).not.toContain('a/single');
    // Of two that are interleaved, one is left, and is measured at its own place.
    const isAway = (id: string) => id.startsWith('a/single') || /^b.single.(cost|low)$/.test(id);
    const left = (all: Step[]) => measuredIn(all).filter((id) => !isAway(id));
    expect(left(steps)).toEqual(left(stepsIn(plan)));
  });

  test('leaves nothing to do where it was the last', () => {
    expect(stepsIn(planOf(UNBROKEN), BROKEN)).toEqual([]);
    expect(stepsIn(planOf(), new Set(['a/single', 'b/single']))).toEqual([]);
  });

  test('is one that was measured in no launch but the one that it failed in', () => {
    const record = makeRecord({ targets: TARGETS, options: { launches: 3 } }, (cell, launch) => {
      return launch === 0 || cell.target === 'b' ? {} : null;
    });
    const brokenBy = (...failures: Failure[]) => [...brokenIn({ ...record, failures })];
    expect(brokenBy()).toEqual([]);
    expect(brokenBy(failureOf('a/single', 1))).toEqual([]);
    // Another server's slices say nothing of it, and once is enough.
    expect(brokenBy(failureOf('a/single', 0), failureOf('b/single'))).toEqual(['a/single']);
    expect(brokenBy(failureOf('a/single', 0), failureOf('a/single', 1))).toEqual(['a/single']);
    const unmeasured = { ...record, slices: [], failures: [failureOf('b/single', 1)] };
    expect([...brokenIn(unmeasured)]).toEqual(['b/single']);
  });
});

describe('what is still planned', () => {
  const recordOf = (parts: Partial<RunOptions> = {}) => {
    return makeRecord({ targets: TARGETS, options: { launches: 2, ...parts } }, () => null);
  };

  test('after a group are the other groups of its launch, and all later launches', () => {
    const record = recordOf(UNBROKEN);
    const [[first, ...others] = [], second = []] = record.plan.launches;
    if (first === undefined) throw new Error('the plan has no launch');
    const rest = [...others, ...second].flatMap((group) => stepsOf(record.plan, group, NONE));
    expect(stepsAfter(record, 0, first)).toEqual(rest);
    expect(others).toHaveLength(1);
    const last = second.at(-1);
    expect(last && stepsAfter(record, 1, last)).toEqual([]);
  });

  test('leaves out the servers that have failed so far', () => {
    const record = recordOf();
    record.failures = [failureOf('a/single')];
    const after = stepsAfter(record, 0, firstGroup(record.plan));
    // Of the other in the second launch: three rounds, and the cost load and the low one once.
    expect(measuredIn(after)).toHaveLength(5);
    expect(JSON.stringify(after)).not.toContain('a/single');
  });

  test('before anything has begun is every launch', () => {
    const plan = planOf();
    const all = plan.launches.flat().flatMap((group) => stepsOf(plan, group, NONE));
    expect(stepsOfPlan(plan)).toEqual(all);
    expect(kindsOf(all).filter((kind) => kind === 'start')).toHaveLength(2);
  });
});
