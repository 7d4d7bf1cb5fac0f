import { describe, expect, test } from 'vitest';
import type { PilotResult } from '../../src/plan/loads.ts';
import { makePilotPlan, makePlan } from '../../src/plan/make-plan.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { isSelected } from '../../src/workload/select.ts';
import { BIDDERS } from '../support/make-bidder-record.ts';
import { makeMachine, makeOptions } from '../support/make-record.ts';
import { ownSuite, ownWorkload } from '../support/own-workloads.ts';

const bidder = ownSuite('bidder');
const QUICK = BIDDERS.filter((target) => isSelected(target, ownWorkload('bidder').quick.targets));

const BASIS: PilotResult = { kind: 'lone', server: 'gin-json/single', cpuNs: 1e6 };
const BOTH: Partial<RunOptions> = {
  topologies: ['single', 2],
  durationS: 40,
  sliceS: 5,
  launches: 4,
};

function planOf(parts: Partial<RunOptions> = {}, targets = BIDDERS, basis = BASIS): Plan {
  return makePlan(bidder, makeOptions({ ...BOTH, ...parts }), targets, makeMachine(), { basis });
}

/** The targets that a load is put on in a topology. */
const on = ({ cells }: Plan, load: string, topology = 'single') => {
  return cells
    .filter((cell) => cell.load === load && cell.topology === topology)
    .map(({ target }) => target);
};

const MAINS = ['fastify', 'gin', 'nest'];
const STEPS = ['gin', 'gin-random', 'gin-repeated', 'nest', 'nest-random', 'nest-repeated'];

describe('the loads of the bidder', () => {
  test('are a quiet one of all, the published rate and the limit of the servers in their own right', () => {
    const plan = planOf();
    expect(plan.loads.map(({ id }) => id)).toEqual(['quiet', 'rate-500', 'limit']);
    expect(on(plan, 'quiet')).toEqual(BIDDERS.map(({ name }) => name));
    expect(on(plan, 'rate-500')).toEqual(MAINS);
    expect(on(plan, 'limit')).toEqual(MAINS);
  });

  test('on two cores are the published rate alone, on what was published', () => {
    const plan = planOf();
    expect(on(plan, 'rate-500', '2')).toEqual(STEPS);
    expect([...on(plan, 'quiet', '2'), ...on(plan, 'limit', '2')]).toEqual([]);
  });

  test('are as quiet as the dearest server has to have it, with a tenth to spare', () => {
    expect(planOf().loads[0]).toMatchObject({ kind: 'open', ratePerS: 220, driver: 'pacer' });
    const rateOf = (cpuNs: number) =>
      planOf({}, BIDDERS, { kind: 'lone', server: 'gin/single', cpuNs }).loads[0];
    expect(rateOf(0.1e6)).toMatchObject({ ratePerS: 2200 });
    expect(rateOf(50e6)).toMatchObject({ ratePerS: 4 });
    expect(rateOf(1e9)).toMatchObject({ ratePerS: 1 });
  });

  test('share the time between them: the quiet one and the limit have a part of that of the published rate', () => {
    const secondsOf = (plan: Plan, id: string) => {
      const { sliceNs = 0, every = 1 } = plan.loads.find((load) => load.id === id) ?? {};
      return (plan.launches.length * Math.ceil(plan.rounds / every) * sliceNs) / 1e9;
    };
    const plan = planOf();
    expect(secondsOf(plan, 'rate-500')).toBeCloseTo(40, 6);
    expect(secondsOf(plan, 'quiet')).toBeCloseTo(20, 6);
    expect(secondsOf(plan, 'limit')).toBeCloseTo(8, 6);
    const long = planOf({ durationS: 300 });
    expect(secondsOf(long, 'rate-500')).toBeCloseTo(300, 6);
    expect(secondsOf(long, 'quiet')).toBeLessThan(40);
  });

  test('by another driver are the published rate alone', () => {
    const { loads } = planOf({ driver: 'k6' });
    expect(loads.flatMap((load) => (load.kind === 'open' ? [load.driver] : []))).toEqual([
      'pacer',
      'k6',
    ]);
  });

  test('are the published rate alone where cells are unbroken, or all are clusters', () => {
    const unbroken = planOf({ contiguous: true, durationS: 300, launches: 1 });
    expect(unbroken.loads).toMatchObject([
      { id: 'rate-500', sliceNs: 300e9, method: 'contiguous' },
    ]);
    expect(planOf({ topologies: [2] }).loads.map(({ id }) => id)).toEqual(['rate-500']);
  });

  test('in short leave out what is between the published steps', () => {
    const plan = planOf({}, QUICK);
    expect(on(plan, 'quiet').toSorted()).toEqual(['fastify', ...STEPS]);
    expect(on(plan, 'rate-500')).toEqual(MAINS);
  });

  test('can be none without what a lone request costs', () => {
    const options = makeOptions(BOTH);
    expect(() => makePlan(bidder, options, BIDDERS, makeMachine())).toThrow('lone request');
  });
});

describe('the pilot of the bidder', () => {
  const pilotOf = (parts: Partial<RunOptions>, targets = BIDDERS) => {
    return makePilotPlan(bidder, makeOptions({ ...BOTH, ...parts }), targets, makeMachine());
  };

  test('asks every server that the quiet load is put on, as a single process, at a low rate', () => {
    const plan = pilotOf({});
    expect(plan?.loads).toMatchObject([{ kind: 'open', ratePerS: 100, saturates: false }]);
    expect(plan && on(plan, 'pilot')).toEqual(BIDDERS.map(({ name }) => name));
    const short = pilotOf({}, QUICK);
    expect(short && on(short, 'pilot').toSorted()).toEqual(['fastify', ...STEPS]);
  });

  test('is none where there is no quiet load', () => {
    expect(pilotOf({ contiguous: true })).toBeNull();
    expect(pilotOf({ topologies: [2] })).toBeNull();
  });
});

test('the first answer is shorter, and of single processes', () => {
  const [full, quick] = [bidder.defaults({}), bidder.defaults({ quick: true })];
  expect(quick.durationS).toBeLessThan(full.durationS);
  expect(quick.topologies).toEqual(['single']);
});
