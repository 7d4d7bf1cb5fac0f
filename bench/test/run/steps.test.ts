import { describe, expect, test } from 'vitest';
import { makePlan } from '../../src/plan/make-plan.ts';
import type { Group, Plan } from '../../src/plan/plan.ts';
import type { Failure, RunRecord } from '../../src/record/record.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { brokenIn, type Step, stepsAfter, stepsOf, stepsOfPlan } from '../../src/run/steps.ts';
import { frameworks } from '../../src/suites/frameworks.ts';
import { makeMachine, makeOptions, makeRecord, makeTarget } from '../support/make-record.ts';

const TARGETS = [makeTarget('a'), makeTarget('b')];
const NONE: ReadonlySet<string> = new Set();
const UNBROKEN = { contiguous: true, sliceS: 6 };

function planOf(parts: Partial<RunOptions> = {}): Plan {
  return makePlan(frameworks, makeOptions(parts), TARGETS, makeMachine());
}

function firstGroup(plan: Plan): Group {
  const [[group] = []] = plan.launches;
  if (group === undefined) throw new Error('the plan has no launch');
  return group;
}

/** What the first launch does. */
function stepsIn(plan: Plan, broken = NONE): Step[] {
  return stepsOf(plan, firstGroup(plan), broken);
}

const kindsOf = (steps: Step[]) => steps.map(({ kind }) => kind);
const cellsOf = (steps: Step[], kind: 'warm-up' | 'slice') => {
  return steps.flatMap((step) => {
    if (step.kind === 'interleaving' && kind === 'slice') return step.cells;
    return step.kind === kind ? [step.cell] : [];
  });
};
/** The steps of a round in this order: the cells under the cost load and at a low rate are interleaved, before the others. */
const measured = (order: string[], round: number): Step[] => {
  const [cost, low] = ['/cost', '/low'].map((end) => order.filter((cell) => cell.endsWith(end)));
  const together = [cost ?? [], low ?? []].filter(({ length }) => length > 0);
  const others = order.filter((cell) => !together.flat().includes(cell));
  return [
    ...together.map((cells) => ({ kind: 'interleaving', cells, round }) as const),
    ...others.map((cell) => ({ kind: 'slice', cell, round }) as const),
  ];
};

function failureOf(server: string): Failure {
  return { server, launch: 0, when: 'slice', message: '', logTail: [], died: true };
}

describe('a launch', () => {
  test('starts its servers, takes the slices round by round, and stops', () => {
    const plan = planOf({ durationS: 4, sliceS: 1, launches: 2, connections: 50 });
    const group = firstGroup(plan);
    const [first = [], second = []] = group.rounds;
    expect(stepsIn(plan)).toEqual([
      {
        kind: 'start',
        servers: [
          { server: 'a/single', target: 'a', topology: 'single' },
          { server: 'b/single', target: 'b', topology: 'single' },
        ],
      },
      { kind: 'idle' },
      ...measured(first, 0),
      { kind: 'end of round', round: 0 },
      ...measured(second, 1),
      { kind: 'end of round', round: 1 },
      { kind: 'stop' },
    ]);
    // The cost load is on once, for all of the launch, and so is the low one.
    expect(first).toHaveLength(6);
    expect(second).toHaveLength(2);
  });

  test('does not warm a probe up', () => {
    const probing = [makeTarget('canned')];
    const options = makeOptions({ connections: 50, topologies: [2] });
    const plan = makePlan(frameworks, options, TARGETS, makeMachine(), { probing });
    const steps = stepsIn(plan);
    expect(cellsOf(steps, 'slice')).toContain('canned/2/custom');
    expect(cellsOf(steps, 'warm-up')).toEqual(['a/2/custom', 'b/2/custom']);
  });

  test('warms up by itself what is not interleaved, and so warmed up among others', () => {
    const both = planOf({ topologies: ['single', 2] });
    expect(cellsOf(stepsIn(both), 'warm-up')).toEqual(['a/2/published', 'b/2/published']);
  });

  test('looks what servers use idle once, before the first slice, whether they were warmed up or not', () => {
    const before = (parts: Partial<RunOptions>) => {
      const kinds = kindsOf(stepsIn(planOf({ connections: 50, ...parts })));
      expect(kinds.filter((kind) => kind === 'idle')).toHaveLength(1);
      return kinds.slice(0, kinds.indexOf('idle'));
    };
    expect(before({})).toEqual(['start']);
    expect(before({ topologies: [2] })).toEqual(['start', 'warm-up', 'warm-up']);
    expect(before({ warmupS: 0 })).toEqual(['start']);
    expect(before(UNBROKEN)).toEqual(['start', 'warm-up']);
  });

  test('warms nothing up where no warm-up is planned', () => {
    expect(kindsOf(stepsIn(planOf({ warmupS: 0 })))).not.toContain('warm-up');
  });

  test('of a single cell has one slice', () => {
    const steps = stepsIn(planOf(UNBROKEN));
    expect(kindsOf(steps)).toEqual(['start', 'warm-up', 'idle', 'slice', 'end of round', 'stop']);
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

describe('a server that has failed', () => {
  const BROKEN = new Set(['a/single']);

  test('is neither started, nor warmed up, nor measured any more', () => {
    const steps = stepsIn(planOf({ topologies: ['single', 2] }), BROKEN);
    expect(JSON.stringify(steps)).not.toContain('a/single');
    expect(cellsOf(steps, 'slice')).toContain('a/2/published');
    expect(cellsOf(steps, 'slice')).toContain('b/single/cost');
  });

  test('leaves the order of the others as it was', () => {
    const plan = planOf({ topologies: ['single', 2] });
    // Of two that are interleaved, one is left, and is measured at its own place.
    const isAway = (cell: string) => {
      return cell.startsWith('a/single') || /^b.single.(cost|low)$/.test(cell);
    };
    const left = (steps: Step[]) => cellsOf(steps, 'slice').filter((cell) => !isAway(cell));
    expect(left(stepsIn(plan, BROKEN))).toEqual(left(stepsIn(plan)));
  });

  test('leaves nothing to do where it was the last', () => {
    expect(stepsIn(planOf(UNBROKEN), BROKEN)).toEqual([]);
    expect(stepsIn(planOf(), new Set(['a/single', 'b/single']))).toEqual([]);
  });

  test('is one that was measured in no launch but the one that it failed in', () => {
    const record = makeRecord({ targets: TARGETS, options: { launches: 3 } }, (cell, launch) => {
      return launch === 0 || cell.target === 'b' ? {} : null;
    });
    const failingIn = (...failures: Failure[]) => brokenIn({ ...record, failures });
    const inLaunch = (launch: number) => ({ ...failureOf('a/single'), launch });
    expect(failingIn()).toEqual(new Set());
    expect(failingIn(inLaunch(0))).toEqual(new Set(['a/single']));
    expect(failingIn(inLaunch(1))).toEqual(new Set());
    // Another server's slices say nothing of it, and once is enough.
    expect(failingIn(inLaunch(0), failureOf('b/single'))).toEqual(new Set(['a/single']));
    expect(failingIn(inLaunch(0), inLaunch(1))).toEqual(new Set(['a/single']));
  });

  test('is one that was never measured', () => {
    const record = makeRecord({ targets: TARGETS, options: { launches: 2 } }, () => null);
    const failures = ['a/single', 'b/single', 'a/single'].map(failureOf);
    expect(brokenIn({ ...record, failures })).toEqual(new Set(['a/single', 'b/single']));
  });
});

describe('what is still planned', () => {
  const recordOf = (parts: Partial<RunOptions> = {}): RunRecord => {
    return makeRecord({ targets: TARGETS, options: { launches: 2, ...parts } }, () => null);
  };

  test('after a group are the other groups of its launch, and all later launches', () => {
    const record = recordOf(UNBROKEN);
    const { plan } = record;
    const [[first, ...others] = [], second = []] = plan.launches;
    if (first === undefined) throw new Error('the plan has no launch');
    const rest = [...others, ...second].flatMap((group) => stepsOf(plan, group, NONE));
    expect(stepsAfter(record, 0, first)).toEqual(rest);
    expect(others).toHaveLength(1);
  });

  test('after the last group is nothing', () => {
    const record = recordOf();
    const last = record.plan.launches[1]?.at(-1);
    if (last === undefined) throw new Error('the plan has no second launch');
    expect(stepsAfter(record, 1, last)).toEqual([]);
  });

  test('leaves out the servers that have failed so far', () => {
    const record = recordOf();
    record.failures = [failureOf('a/single')];
    const after = stepsAfter(record, 0, firstGroup(record.plan));
    // Of the other in the second launch: three rounds, and the cost load and the low one once.
    expect(cellsOf(after, 'slice')).toHaveLength(5);
    expect(JSON.stringify(after)).not.toContain('a/single');
  });

  test('before anything has begun is every launch', () => {
    const plan = planOf();
    expect(stepsOfPlan(plan)).toEqual(
      plan.launches.flat().flatMap((group) => stepsOf(plan, group, NONE)),
    );
    expect(kindsOf(stepsOfPlan(plan)).filter((kind) => kind === 'start')).toHaveLength(2);
  });
});
