import { expect, test } from 'vitest';
import { basisOf } from '../../src/figures/basis.ts';
import { makePilotPlan } from '../../src/plan/make-plan.ts';
import { newRecord, type RunRecord } from '../../src/record/record.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { cluster } from '../../src/suites/cluster.ts';
import { ratesOf } from '../../src/suites/rates.ts';
import { failuresOf } from '../support/failures.ts';
import {
  makeMachine,
  makeOpenLoad,
  makeOptions,
  makeSlices,
  makeTarget,
  type Story,
} from '../support/make-record.ts';

const TARGETS = ['quick', 'slow', 'dead'].map((name) => makeTarget(name));

function pilotOf(story: Story, options: Partial<RunOptions> = {}, dead: string[] = []): RunRecord {
  const machine = makeMachine();
  const suite = options.rates ? ratesOf('cluster') : cluster;
  const asked = makeOptions({ topologies: ['single', 2], ...options });
  const plan = makePilotPlan(suite, asked, TARGETS, machine);
  if (plan === null) throw new Error('there is nothing to find out');
  const failures = dead.flatMap((server) => failuresOf(server, [0]));
  const record = newRecord({ suite: suite.name, machine, targets: TARGETS, plan }, new Date(0));
  return { ...record, state: 'complete', slices: makeSlices(plan, story), failures };
}

const steady: Story = ({ target }) => {
  const ms = target === 'slow' ? 50 : 20;
  return { ok: 1000 / ms, latenciesMs: [ms], cpuUsPerResponse: 7 };
};

test('of requests that came one at a time it is the service time of the slowest server', () => {
  const serviceNs = expect.closeTo(50e6, -5);
  expect(basisOf(pilotOf(steady))).toEqual({ kind: 'service', server: 'slow/single', serviceNs });
  // Of the plain process, or of the first topology.
  const managed = basisOf(pilotOf(steady, { topologies: [4, 2] }));
  expect(managed).toEqual({ kind: 'service', server: 'slow/4', serviceNs });
});

test('of requests that came one at a time it is the mean over all answers of the launch', () => {
  // With a queue: more answers of the slow one, each of which has waited for others.
  const uneven: Story = ({ target }, _launch, round) => {
    const ms = target === 'slow' ? 50 + 20 * round : 20;
    return { ok: Math.round(1000 / ms), latenciesMs: [ms - 10, ms, ms + 10] };
  };
  // 21 of 50 ms, 15 of 70 and 12 of 90.
  const found = { server: 'slow/single', serviceNs: expect.closeTo(66.25e6, -5) };
  expect(basisOf(pilotOf(uneven))).toMatchObject(found);
});

test('of requests that came one at a time servers that were not measured, or answered nothing, do not count', () => {
  const some: Story = ({ target }) => {
    if (target === 'dead') return null;
    return target === 'slow' ? { timedOut: 3 } : { ok: 50, latenciesMs: [20] };
  };
  expect(basisOf(pilotOf(some))).toMatchObject({ server: 'quick/single' });
  const dead = TARGETS.map(({ name }) => `${name}/single`);
  const none = [pilotOf(() => null), pilotOf(() => ({ timedOut: 9 })), pilotOf(steady, {}, dead)];
  expect(none.map(basisOf)).toEqual([null, null, null]);
});

test('at the limit it is the capacity of the slowest server that did not fail', () => {
  const rates: RunOptions['rates'] = [{ kind: 'share', share: 0.7 }];
  const SPEEDS: Record<string, number> = { 'quick/single': 9000, 'quick/2': 4000, 'dead/2': 500 };
  const atLimit: Story = ({ server }) => ({ ok: SPEEDS[server] ?? 7000, latenciesMs: [1] });
  const found = (...dead: string[]) => basisOf(pilotOf(atLimit, { rates }, dead));
  expect(found()).toEqual({ kind: 'capacity', server: 'dead/2', perS: 500 });
  expect(found('dead/2')).toEqual({ kind: 'capacity', server: 'quick/2', perS: 4000 });
});

test('at a rate it is the CPU time of the most expensive server, over all slices', () => {
  const ratedPilot = (story: Story) => {
    const record = pilotOf(story, {}, ['dead/single']);
    const open = makeOpenLoad({ id: record.plan.loads[0]?.id ?? '' });
    return { ...record, plan: { ...record.plan, loads: [open] } };
  };
  const cost: Story = ({ target }, _launch, round) => {
    // Work that a server seldom does counts too.
    return { ok: 50, cpuUsPerResponse: target === 'slow' ? 400 + (round === 1 ? 900 : 0) : 500 };
  };
  // (400 + 1,300 + 400) / 3.
  const found = { kind: 'singleRequest', server: 'slow/single', cpuNs: 7e5 };
  expect(basisOf(ratedPilot(cost))).toEqual(found);
  expect(basisOf(ratedPilot(() => ({ ok: 0 })))).toBeNull();
});
