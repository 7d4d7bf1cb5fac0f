import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WORKLOADS } from '../../src/base/places.ts';
import { makePlan } from '../../src/plan/make-plan.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { stepsOfPlan } from '../../src/run/steps.ts';
import { bridgeGaps } from '../../src/targets/layers.ts';
import { servicesOf } from '../../src/targets/targets.ts';
import { LADDER } from '../support/make-ladder-record.ts';
import { makeMachine, makeOptions } from '../support/make-record.ts';
import { ownSuite } from '../support/own-workloads.ts';
import { missingHere } from '../support/services.ts';

const ladder = ownSuite('ladder');

const SECOND = 1e9;

function planOf(parts: Partial<RunOptions> = {}, machine = makeMachine(), targets = LADDER) {
  const asked: Partial<RunOptions> = { topologies: ['single'], connections: 50, pipelining: 4 };
  return makePlan(ladder, makeOptions({ ...asked, ...parts }), targets, machine);
}

/** The targets of a run, where everything that the servers need is here. */
function subjectsOf(given: { quick?: boolean; targets?: string[] }) {
  const options = makeOptions();
  return ladder.subjects({ given, packages: join(WORKLOADS, 'ladder'), options }).targets;
}

test('the load keeps the server busy, in turns of a fifth of a second', () => {
  const [load, ...others] = planOf({ durationS: 7.5, sliceS: 0.5, launches: 5 }).loads;
  expect(others).toEqual([]);
  expect(load).toMatchObject({ headline: 'cpu', saturates: true, connections: 50, pipelining: 4 });
  expect(load).toMatchObject({ turnNs: 2e6 });
  // Three rounds in one slice, which has room for seven turns and a half.
  expect(load).toMatchObject({ sliceNs: 1.5 * SECOND, every: 3, blocks: 8 });
});

test('connections rest for longer than any block takes', () => {
  const [load] = planOf().loads;
  expect(load?.timeoutNs).toBeGreaterThanOrEqual(60 * SECOND);
});

test('an unbroken load is not interleaved', () => {
  const { loads } = planOf({ contiguous: true, durationS: 30, launches: 1 });
  expect(loads).toMatchObject([{ method: 'contiguous', blocks: 1 }]);
});

test('what is alive together where memory is short are the same rungs of all frameworks', () => {
  // Room for six servers, and what is beside them.
  const machine = makeMachine({ memoryAvailableBytes: 1.95e9 / 0.75 });
  const { groups } = planOf({}, machine, bridgeGaps(LADDER, LADDER));
  const [lowest, highest] = groups.map((ids) => ids.map((id) => id.split('/')[0]));
  const frameworks = ['express', 'floor', 'nest'];
  expect(lowest).toEqual([...frameworks, ...frameworks.map((name) => `${name}-json`)]);
  expect(highest).toContain('express-body');
});

/** Starting that many servers, at the most. */
const START_S = 45;
/** In which servers are idle, before what is interleaved and after it. */
const QUIET_S = 1;
/** Warm-ups end before their cap: in a run of 192 starts at 0.43 of it in the mean. */
const SETTLING_SHARE = 0.7;

test.each([
  { quick: false, minutes: 25 },
  { quick: true, minutes: 2.5 },
])(
  'the defaults (quick: $quick) end within $minutes minutes by their steps',
  ({ quick, minutes }) => {
    const targets = subjectsOf({ quick });
    const defaults = ladder.defaults({ quick });
    const options = makeOptions({ ...defaults });
    const plan = makePlan(ladder, options, targets, makeMachine({ memoryAvailableBytes: 64e9 }));
    const [load] = plan.loads;
    const secondsOf = (step: ReturnType<typeof stepsOfPlan>[number]): number => {
      const sliceS = (load?.sliceNs ?? 0) / SECOND;
      if (step.kind === 'warm-up') return SETTLING_SHARE * options.warmupS;
      if (step.kind === 'idle') return QUIET_S;
      if (step.kind === 'slices') {
        return step.cells.length * (sliceS + SETTLING_SHARE * options.warmupS) + QUIET_S;
      }
      return step.kind === 'start' ? (START_S * targets.length) / 48 : 0;
    };
    const seconds = stepsOfPlan(plan).reduce((sum, step) => sum + secondsOf(step), 0);
    expect(seconds / 60).toBeLessThan(minutes);
    expect(seconds / 60).toBeGreaterThan(minutes / 4);
  },
);

test('quick are the ends of each framework alone, each over its lowest rung', ({ skip }) => {
  const missing = missingHere('mariadb');
  skip(missing !== null, missing ?? '');
  const targets = subjectsOf({ quick: true });
  expect(targets.map(({ name, variantOf }) => [name, variantOf])).toEqual([
    ...['express', 'fastify', 'floor', 'nest', 'nest-fastify'].map((name) => [name, null]),
    ['express-row', 'express'],
    ['fastify-row', 'fastify'],
    ['floor-row', 'floor'],
    ['nest-row', 'nest'],
    ['nest-fastify-row', 'nest-fastify'],
    ['fastify-row-ajv', 'fastify-row'],
    ['nest-row-ajv', 'nest-row'],
    ['nest-fastify-row-ajv', 'nest-fastify-row'],
  ]);
});

test('only what reads a row needs the database', () => {
  const needing = subjectsOf({ targets: ['all'] }).filter(
    (target) => servicesOf(target).length > 0,
  );
  expect(needing.every(({ env }) => env.RUNG === 'row')).toBe(true);
});
