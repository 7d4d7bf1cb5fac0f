import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { describe, expect, test } from 'vitest';
import { drawLaunch } from '../../src/plan/draw.ts';
import { cellOf, loadOf, type Plan } from '../../src/plan/plan.ts';
import type { RunRecord } from '../../src/record/record.ts';
import { Position } from '../../src/report/position.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { brokenIn, type Step, stepsAfter, stepsOf, stepsOfPlan } from '../../src/run/steps.ts';
import { cluster } from '../../src/suites/cluster.ts';
import { frameworksPlan } from '../../src/suites/frameworks-plan.ts';
import { makeRecord, type NamedRules } from '../support/make-record.ts';
import { LABELS, planOf, UNTIL } from './plans.ts';

function positionIn(plan: Plan): Position {
  return new Position(plan, LABELS, stepsOfPlan(plan), 0);
}

/** What steps take, s. */
interface Times {
  start: number;
  warmUp: number;
  idle: number;
  /** Beside the length of a slice. */
  beside: number;
  round: number;
  stop: number;
}

const USUAL: Times = { start: 3, warmUp: 0.6, idle: 1.2, beside: 0.2, round: 0.05, stop: 0.3 };

interface Simulated {
  parts?: Partial<RunOptions>;
  times?: Times;
  suite?: NamedRules;
  /** The server that is lost in this launch, in its second round. */
  lost?: { server: string; launch: number };
}

/** Where a run is said to be at a moment, and where it really is. */
interface Moment {
  launch: number;
  share: number;
  truth: number;
}

/** A run whose steps take these times, more or less. */
function simulate({
  parts = {},
  times = USUAL,
  suite = frameworksPlan,
  lost,
}: Simulated): Moment[] {
  const random = xoroshiro128plus(7);
  const pilot = { kind: 'service', server: 'floor/single', serviceNs: 5e7 } as const;
  const options = { topologies: ['single' as const, 2], launches: 4, durationS: 20, ...parts };
  const record = makeRecord({ suite, options, pilot }, () => ({ ok: 1 }));
  const { plan, failures } = record;
  const slices = record.slices.splice(0);
  const position = positionIn(plan);
  const seen: { launch: number; ms: number; share: number }[] = [];
  let nowMs = 0;
  const look = (launch: number, ms: number) => {
    seen.push({ launch, ms, share: position.share(ms) ?? Number.NaN });
  };
  for (const [launch, groups] of plan.launches.entries()) {
    record.slices.push(...slices.filter((slice) => slice.launch === launch - 1));
    for (const group of groups) {
      const steps = stepsOf(plan, group, brokenIn(record));
      if (steps.length === 0) continue;
      position.launch(launch, steps, stepsAfter(record, launch, group), nowMs);
      for (const step of steps) {
        position.step(step, nowMs);
        const isLost = lost?.launch === launch && lost.server === serverOf(plan, step);
        if (isLost && step.kind === 'slices' && step.round === 1) fail(record, lost);
        const isGone = failures.length > 0 && isLost;
        const even = isGone ? 0 : 1000 * timeOf(plan, step, times);
        const ms = even * (0.85 + 0.3 * uniformFloat64(random));
        for (const part of [0, 0.3, 0.6, 0.9]) look(launch, nowMs + part * ms);
        nowMs += ms;
      }
    }
  }
  look(plan.launches.length - 1, nowMs);
  return seen.map(({ launch, ms, share }) => ({ launch, share, truth: ms / nowMs }));
}

function serverOf(plan: Plan, step: Step): string | null {
  const [id] = 'cells' in step ? step.cells : 'cell' in step ? [step.cell] : [];
  return id === undefined ? null : cellOf(plan, id).server;
}

function fail({ failures }: RunRecord, { server, launch }: { server: string; launch: number }) {
  if (failures.some((failure) => failure.server === server)) return;
  failures.push({ server, launch, when: 'slice', message: '', logTail: [], died: true });
}

/** s */
function timeOf(plan: Plan, step: Step, times: Times): number {
  switch (step.kind) {
    case 'start':
      return times.start;
    case 'warm-up':
      return times.warmUp;
    case 'idle':
      return times.idle;
    case 'slices':
      return step.cells.reduce((sum, cell) => {
        return sum + times.beside + loadOf(plan, cellOf(plan, cell).load).sliceNs / 1e9;
      }, 0);
    case 'end of round':
      return times.round;
    case 'stop':
      return times.stop;
  }
}

/** How far the share is off at the most, from the second launch on. */
function worstOf(moments: Moment[]): number {
  const later = moments.filter(({ launch }) => launch > 0);
  expect(later.length).toBeGreaterThan(20);
  return Math.max(...later.map(({ share, truth }) => Math.abs(share - truth)));
}

describe('the share is right within 5 % from the second launch on', () => {
  test.each([
    { what: 'where steps take about what was guessed', times: USUAL },
    { what: 'where warm-ups take the longest', times: { ...USUAL, warmUp: 12 } },
    { what: 'where looking at idle servers takes long', times: { ...USUAL, idle: 20 } },
    { what: 'where warm-ups take no time', times: { ...USUAL, warmUp: 0.01 } },
    { what: 'where starts take the longest', times: { ...USUAL, start: 60 } },
    { what: 'where stops take long, of which nothing was guessed', times: { ...USUAL, stop: 20 } },
    { what: 'where slices take twice as long', times: { ...USUAL, beside: 1 } },
    { what: 'where reports take their time', times: { ...USUAL, round: 2 } },
  ])('$what', ({ times }) => {
    expect(worstOf(simulate({ times }))).toBeLessThan(0.05);
  });

  test.each([
    ['with two launches only', { launches: 2, durationS: 6 }],
    ['without warm-up', { warmupS: 0 }],
    ['with a load in every other round', { durationS: 16 }],
    ['with every cell in one piece', { contiguous: true, durationS: 6, sliceS: 6 }],
  ] satisfies [string, Partial<RunOptions>][])('%s', (_, parts) => {
    expect(worstOf(simulate({ parts, times: { ...USUAL, warmUp: 2, beside: 0.6 } }))).toBeLessThan(
      0.05,
    );
  });

  test('where slices and unbroken cells are in one launch', () => {
    const parts = { launches: 5, durationS: 12, sliceS: 12 };
    expect(worstOf(simulate({ suite: cluster, parts }))).toBeLessThan(0.05);
  });

  test.each([0, 1, 2])('where a server is lost, in launch %d', (launch) => {
    const lost = { server: 'middle/2', launch };
    expect(worstOf(simulate({ lost, times: { ...USUAL, warmUp: 3 } }))).toBeLessThan(0.05);
  });
});

describe('the share', () => {
  test.each([
    ['sliced', {}],
    ['contiguous', { contiguous: true, durationS: 6, sliceS: 6 }],
    ['without warm-up', { warmupS: 0 }],
  ] satisfies [string, Partial<RunOptions>][])('goes from 0 to 1: %s', (_, parts) => {
    const shares = simulate({ parts }).map(({ share }) => share);
    expect(shares[0]).toBe(0);
    expect(shares.at(-1)).toBeCloseTo(1, 1);
    for (const share of shares) {
      expect(share).toBeGreaterThanOrEqual(0);
      expect(share).toBeLessThanOrEqual(1);
    }
    expect(new Set(shares).size).toBeGreaterThan(shares.length / 2);
  });

  test('goes on within a step, even one that takes longer than any other', () => {
    const plan = planOf();
    const position = positionIn(plan);
    const [group] = plan.launches[0] ?? [];
    if (!group) throw new Error('the plan has no launch');
    const steps = stepsOf(plan, group, new Set());
    position.launch(0, steps, [], 0);
    const [start] = steps;
    if (start) position.step(start, 0);
    const shares = [0, 1, 2, 10, 50].map((s) => position.share(s * 1000) ?? Number.NaN);
    expect(shares).toEqual([...new Set(shares)].sort((a, b) => a - b));
    expect(shares.at(-1)).toBeLessThan(1);
  });

  test('is that of what is planned where nothing has begun', () => {
    expect(positionIn(planOf()).share(0)).toBe(0);
    expect(positionIn(planOf()).share(1000)).toBeLessThan(0.1);
  });

  test('is no share of anything where launches go on until enough is known', () => {
    const plan = planOf({ until: UNTIL });
    const position = positionIn(plan);
    expect(position.share(0)).toBeNull();
    for (const [launch, groups] of plan.launches.entries()) {
      for (const group of groups) {
        const steps = stepsOf(plan, group, new Set());
        position.launch(launch, steps, [], 0);
        for (const step of steps) {
          position.step(step, 0);
          expect(position.share(1000)).toBeNull();
        }
      }
    }
  });
});

describe('where a run is, in words', () => {
  const launching = (position: Position, plan: Plan, launch: number) => {
    const groups = plan.launches[launch] ?? drawLaunch(plan);
    // As a run does.
    plan.launches[launch] = groups;
    for (const group of groups) {
      position.launch(launch, stepsOf(plan, group, new Set()), [], 0);
    }
  };

  test('goes on past the launches that were planned, which are the least', () => {
    const plan = planOf({ until: UNTIL });
    const position = positionIn(plan);
    const texts = [0, 1, 2].map((launch) => {
      launching(position, plan, launch);
      return position.text;
    });
    expect(texts).toEqual([
      'launch 1 of at least 2: starting 6 servers',
      'launch 2 of at least 2: starting 6 servers',
      'launch 3 of at least 2: starting 6 servers',
    ]);
  });

  test('names launch, server and load', () => {
    const plan = planOf({ launches: 3 });
    const position = positionIn(plan);
    expect(position.text).toBe('starting');
    launching(position, plan, 1);
    expect(position.text).toBe('launch 2 of 3: starting 6 servers');
    const server = { server: 'top/2', target: 'top', topology: '2' };
    position.launch(1, [{ kind: 'start', servers: [server] }], [], 0);
    expect(position.text).toBe('launch 2 of 3: starting 1 server');
    position.step({ kind: 'warm-up', cell: 'top/2/published' }, 0);
    expect(position.text).toBe('warming up TOP, 2, under the published load');
    position.step({ kind: 'slices', cells: ['floor/single/cost'], round: 0 }, 0);
    expect(position.text).toBe('FLOOR, single, under the cost load');
    position.step({ kind: 'end of round', round: 0 }, 0);
    expect(position.text).toBe('FLOOR, single, under the cost load');
  });
});
