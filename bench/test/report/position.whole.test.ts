import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { expect, test } from 'vitest';
import { drawLaunch } from '../../src/plan/draw.ts';
import { cellOf, loadOf, type Plan } from '../../src/plan/plan.ts';
import { type Position, trackPosition } from '../../src/report/progress.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { failedServers, type Step, stepsAfter, stepsOf } from '../../src/run/steps.ts';
import { cluster } from '../../src/suites/cluster.ts';
import { frameworks } from '../../src/suites/frameworks.ts';
import { makeRecord, type NamedRules } from '../support/make-record.ts';
import { planOf, TARGETS, UNTIL } from './plans.ts';

/** What steps take, s; slices beside their length. */
const USUAL: Record<Step['kind'], number> = {
  ...{ start: 3, 'warm-up': 0.6, idle: 1.2, slices: 0.2, 'end of round': 0.05, stop: 0.3 },
};

interface Simulated {
  parts?: Partial<RunOptions>;
  times?: Partial<typeof USUAL>;
  suite?: NamedRules;
  /** The server that is lost in this launch, in its second round. */
  lost?: { server: string; launch: number };
}

/** Where a run is said to be, and where it really is, as shares, if steps take these times, more or less. */
function simulate({ parts, times, suite = frameworks, lost }: Simulated) {
  const random = xoroshiro128plus(7);
  const pilot = { kind: 'service', server: 'floor/single', serviceNs: 5e7 } as const;
  const options = { topologies: ['single' as const, 2], launches: 4, durationS: 20, ...parts };
  const record = makeRecord({ suite, options, pilot }, () => ({ ok: 1 }));
  const { plan, failures } = record;
  const slices = record.slices.splice(0);
  const position = trackPosition(plan, TARGETS, 0);
  const seen: { launch: number; ms: number; share: number }[] = [];
  let nowMs = 0;
  const look = (launch: number, ms: number) => {
    seen.push({ launch, ms, share: position.share(ms) ?? Number.NaN });
  };
  for (const [launch, groups] of plan.launches.entries()) {
    record.slices.push(...slices.filter((slice) => slice.launch === launch - 1));
    for (const group of groups) {
      const steps = stepsOf(plan, group, failedServers(record));
      if (steps.length === 0) continue;
      position.onLaunch(launch, steps, stepsAfter(record, launch, group), nowMs);
      for (const step of steps) {
        position.onStep(step, nowMs);
        const [cell] = 'cells' in step ? step.cells : [];
        const isLost = cell?.server === lost?.server && lost?.launch === launch;
        if (isLost && failures.length === 0 && step.kind === 'slices' && step.round === 1) {
          failures.push({ ...lost, when: 'slice', message: '', logTail: [], died: true });
        }
        const isGone = isLost && failures.length > 0;
        const even = isGone ? 0 : 1000 * timeOf(plan, step, { ...USUAL, ...times });
        const ms = even * (0.85 + 0.3 * uniformFloat64(random));
        for (const part of [0, 0.3, 0.6, 0.9]) look(launch, nowMs + part * ms);
        nowMs += ms;
      }
    }
  }
  look(plan.launches.length - 1, nowMs);
  return seen.map(({ launch, ms, share }) => ({ launch, share, truth: ms / nowMs }));
}

/** s */
function timeOf(plan: Plan, step: Step, times: typeof USUAL): number {
  if (step.kind !== 'slices') return times[step.kind];
  return step.cells.reduce((sum, { load }) => {
    return sum + times.slices + loadOf(plan, load).sliceNs / 1e9;
  }, 0);
}

const CONTIGUOUS = { contiguous: true, durationS: 6, sliceS: 6 };
const SLOW = { 'warm-up': 2, slices: 0.6 };
const losing = (launch: number): Simulated => {
  return { lost: { server: 'middle/2', launch }, times: { 'warm-up': 3 } };
};

test.each<[string, Simulated]>([
  ['steps take about what was guessed', {}],
  ['warm-ups take the longest', { times: { 'warm-up': 12 } }],
  ['looking at idle servers takes long', { times: { idle: 20 } }],
  ['warm-ups take no time', { times: { 'warm-up': 0.01 } }],
  ['starts take the longest', { times: { start: 60 } }],
  ['stops take long, of which nothing was guessed', { times: { stop: 20 } }],
  ['slices take twice as long', { times: { slices: 1 } }],
  ['reports take their time', { times: { 'end of round': 2 } }],
  ['there are two launches only', { parts: { launches: 2, durationS: 6 }, times: SLOW }],
  ['there is no warm-up', { parts: { warmupS: 0 }, times: SLOW }],
  ['a load is in every other round', { parts: { durationS: 16 }, times: SLOW }],
  ['every cell is in one piece', { parts: CONTIGUOUS, times: SLOW }],
  [
    'slices and unbroken cells are in one launch',
    { suite: cluster, parts: { launches: 5, durationS: 12, sliceS: 12 } },
  ],
  ['a server is lost in the first launch', losing(0)],
  ['a server is lost in the second launch', losing(1)],
  ['a server is lost in the third launch', losing(2)],
])('the share is right, within 5 %% from the second launch on, where %s', (_, simulated) => {
  const moments = simulate(simulated);
  const shares = moments.map(({ share }) => share);
  expect(shares[0]).toBe(0);
  expect(shares.filter((share) => !(share >= 0 && share <= 1))).toEqual([]);
  expect(new Set(shares).size).toBeGreaterThan(shares.length / 2);
  const later = moments.filter(({ launch }) => launch > 0);
  expect(later.length).toBeGreaterThan(20);
  const errors = later.map(({ share, truth }) => Math.abs(share - truth));
  expect(Math.max(...errors)).toBeLessThan(0.05);
});

/** Everything that a plan does, to a position, at 0 s. */
function launching(position: Position, plan: Plan, launch: number): Step[] {
  // As a run does.
  plan.launches[launch] ??= drawLaunch(plan);
  return plan.launches[launch].flatMap((group) => {
    const steps = stepsOf(plan, group, new Set());
    position.onLaunch(launch, steps, [], 0);
    return steps;
  });
}

test('the share goes on within a step, even one that takes longer than any other', () => {
  const plan = planOf();
  const position = trackPosition(plan, TARGETS, 0);
  const [start] = launching(position, plan, 0);
  if (start) position.onStep(start, 0);
  const shares = [0, 1, 2, 10, 50].map((s) => position.share(s * 1000) ?? Number.NaN);
  expect(shares).toEqual([...new Set(shares)].sort((a, b) => a - b));
  expect(shares.at(-1)).toBeLessThan(1);
});

test('where launches go on until enough is known, the share is not, and those planned are the least', () => {
  const plan = planOf({ until: UNTIL });
  const position = trackPosition(plan, TARGETS, 0);
  expect(position.share(0)).toBeNull();
  for (const [launch, text] of ['1 of at least 2', '2 of at least 2', '3'].entries()) {
    const steps = launching(position, plan, launch);
    expect(position.text()).toBe(`launch ${text}: starting 6 servers`);
    for (const step of steps) {
      position.onStep(step, 0);
      expect(position.share(1000)).toBeNull();
    }
  }
});

test('where a run is, in words, names launch, server and load', () => {
  const plan = planOf({ launches: 3 });
  const position = trackPosition(plan, TARGETS, 0);
  const texts = [position.text()];
  launching(position, plan, 1);
  texts.push(position.text());
  const server = { server: 'top/2', target: 'top', topology: '2' };
  position.onLaunch(1, [{ kind: 'start', servers: [server] }], [], 0);
  texts.push(position.text());
  const steps: Step[] = [
    { kind: 'warm-up', cells: [cellOf(plan, 'top/2/published')] },
    { kind: 'slices', cells: [cellOf(plan, 'floor/single/cost')], round: 0 },
    { kind: 'end of round', round: 0 },
  ];
  for (const step of steps) {
    position.onStep(step, 0);
    texts.push(position.text());
  }
  expect(texts).toEqual([
    'starting',
    'launch 2 of 3: starting 6 servers',
    'launch 2 of 3: starting 1 server',
    'warming up TOP, 2, under the published load',
    'FLOOR, single, under the cost load',
    'FLOOR, single, under the cost load',
  ]);
});
