import { describe, expect, test } from 'vitest';
import { basisOf } from '../../src/figures/basis.ts';
import { makePilotPlan } from '../../src/plan/make-plan.ts';
import { type Failure, newRecord, type RunRecord } from '../../src/record/record.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { cluster } from '../../src/suites/cluster.ts';
import { ratesOf } from '../../src/suites/rates.ts';
import {
  makeMachine,
  makeOpenLoad,
  makeOptions,
  makeSlices,
  makeTarget,
  type Story,
} from '../support/make-record.ts';

const TARGETS = ['quick', 'slow', 'dead'].map((name) => makeTarget(name, { suite: 'cluster' }));

/** The record of a pilot in which every slice went as the story tells. */
function pilotOf(options: Partial<RunOptions>, story: Story, dead: string[] = []): RunRecord {
  const machine = makeMachine();
  const suite = options.rates ? ratesOf('cluster') : cluster;
  const plan = makePilotPlan(suite, makeOptions(options), TARGETS, machine);
  if (plan === null) throw new Error('there is nothing to find out');
  const failures = dead.map((server): Failure => {
    return { server, launch: 0, when: 'slice', message: '', logTail: [], died: true };
  });
  const record = newRecord({ suite: suite.name, machine, targets: TARGETS, plan }, new Date(0));
  return { ...record, state: 'complete', slices: makeSlices(plan, story), failures };
}

const CLUSTER: Partial<RunOptions> = { topologies: ['single', 2] };

describe('where requests came one at a time', () => {
  const alone: Record<string, Story> = {
    steady: ({ target }) => {
      const ms = target === 'slow' ? 50 : 20;
      return { ok: 1000 / ms, latenciesMs: [ms], cpuUsPerResponse: 7 };
    },
    // Of a queue: more answers of the slow one, each of which has waited for others.
    uneven: ({ target }, _launch, round) => {
      const ms = target === 'slow' ? 50 + 20 * round : 20;
      return { ok: Math.round(1000 / ms), latenciesMs: [ms - 10, ms, ms + 10] };
    },
  };

  test('is the service time of the slowest server', () => {
    const basis = basisOf(pilotOf(CLUSTER, alone.steady ?? (() => null)));
    const serviceNs = expect.closeTo(50e6, -5);
    expect(basis).toEqual({ kind: 'service', server: 'slow/single', serviceNs });
  });

  test('is the mean over all answers of the launch', () => {
    const basis = basisOf(pilotOf(CLUSTER, alone.uneven ?? (() => null)));
    // 21 of 50 ms, 15 of 70 and 12 of 90.
    expect(basis).toMatchObject({ server: 'slow/single', serviceNs: expect.closeTo(66.25e6, -5) });
  });

  test('is that of the plain process, or of the topology named first', () => {
    const managed = { ...CLUSTER, topologies: [4, 2] } satisfies Partial<RunOptions>;
    const basis = basisOf(pilotOf(managed, alone.steady ?? (() => null)));
    expect(basis).toMatchObject({ kind: 'service', server: 'slow/4' });
  });
});

describe('where servers were at their limit', () => {
  const rates: RunOptions['rates'] = [{ kind: 'share', share: 0.7 }];
  const SPEEDS: Record<string, number> = { 'quick/single': 9000, 'quick/2': 4000, 'dead/2': 500 };
  const atLimit: Story = ({ server }) => ({ ok: SPEEDS[server] ?? 7000, latenciesMs: [1] });

  test('is what the slowest cell of all topologies answers', () => {
    const basis = basisOf(pilotOf({ ...CLUSTER, rates }, atLimit));
    expect(basis).toEqual({ kind: 'capacity', server: 'dead/2', perS: 500 });
  });

  test('leaves out servers that failed', () => {
    const basis = basisOf(pilotOf({ ...CLUSTER, rates }, atLimit, ['dead/2']));
    expect(basis).toEqual({ kind: 'capacity', server: 'quick/2', perS: 4000 });
  });
});

test('servers that were not measured, or answered nothing, say nothing', () => {
  const story: Story = ({ target }) => {
    if (target === 'dead') return null;
    return target === 'slow' ? { timedOut: 3 } : { ok: 50, latenciesMs: [20] };
  };
  expect(basisOf(pilotOf(CLUSTER, story))).toMatchObject({ server: 'quick/single' });
});

test('there is none where no server answered', () => {
  expect(basisOf(pilotOf(CLUSTER, () => null))).toBeNull();
  expect(basisOf(pilotOf(CLUSTER, () => ({ timedOut: 9 })))).toBeNull();
  const dead = TARGETS.map(({ name }) => `${name}/single`);
  expect(basisOf(pilotOf(CLUSTER, () => ({ ok: 9, latenciesMs: [20] }), dead))).toBeNull();
});

describe('where requests came at a rate', () => {
  const cost: Story = ({ target }, _launch, round) => {
    // What one does seldom is its own work too.
    return { ok: 50, cpuUsPerResponse: target === 'slow' ? 400 + (round === 1 ? 900 : 0) : 500 };
  };
  /** The record of a pilot whose load comes at a rate. */
  const ratedPilot = (story: Story, dead: string[] = []) => {
    const record = pilotOf(CLUSTER, story, dead);
    const [load] = record.plan.loads;
    const open = makeOpenLoad({ id: load?.id ?? '' });
    return { ...record, plan: { ...record.plan, loads: [open] } };
  };

  test('is the CPU time of the server whose requests are the dearest, over all slices', () => {
    const basis = basisOf(ratedPilot(cost, ['dead/single']));
    // (400 + 1,300 + 400) / 3.
    expect(basis).toEqual({ kind: 'singleRequest', server: 'slow/single', cpuNs: 7e5 });
  });

  test('is nothing where none was answered', () => {
    expect(basisOf(ratedPilot(() => ({ ok: 0 })))).toBeNull();
  });
});
