import { describe, expect, test } from 'vitest';
import { cellOf } from '../../src/plan/plan.ts';
import { CANNED } from '../../src/targets/canned.ts';
import { flagsOf, flagsOfPair } from '../../src/validity/flags.ts';
import { makeClusterRecord } from '../support/make-cluster-record.ts';
import { type Happened, makeMachine, makeTarget } from '../support/make-record.ts';
import { flagIn, flagsWhen, flagWhen, HEALTHY, recordOf } from './cells.ts';

/** Nearly every turn is empty, and yet they take hardly any time. */
const BOUND = { turns: { all: 30_000, empty: 29_900, idleNs: 23322000 } };
const SLEEPING = { turns: { all: 0, empty: 0, idleNs: 0 } };
const CLUSTER = 'floor/2/published';

describe('GENERATOR_BOUND', () => {
  const inRounds = (...bound: number[]) => {
    return (_launch: number, round: number) => (bound.includes(round) ? BOUND : {});
  };
  const sleeping = (generatorCpuMs: number, generators: number) => {
    return { generatorCpuMs, generators, ...SLEEPING };
  };

  test.each<[string, Parameters<typeof flagsWhen>[0], idleShare: number | undefined]>([
    ['empty turns of one that never sleeps took next to no time', BOUND, 0.0233],
    [
      'they took a little more',
      { turns: { all: 60_000, empty: 45_000, idleNs: 35100000 } },
      undefined,
    ],
    ['more than half of the slices say so, as a median does', inRounds(0, 2), 0.0233],
    ['fewer do', inRounds(0), undefined],
    ['one that sleeps used all of its CPU time', sleeping(980, 1), 0.02],
    ['it did not', sleeping(960, 1), undefined],
    ['two that sleep did', sleeping(1960, 2), 0.02],
    ['one of two did', sleeping(980, 2), undefined],
  ])('where %s the generator is idle for: %s', (_, happened, idleShare) => {
    const found = flagWhen('GENERATOR_BOUND', happened)?.idleShare;
    expect(found).toEqual(idleShare && expect.closeTo(idleShare, 4));
  });
});

describe('REGIME', () => {
  const pairFlags = (...bound: string[]) => {
    const record = recordOf(({ target }) => {
      return { ...HEALTHY, ...(bound.includes(target) ? BOUND : {}) };
    });
    const cell = (target: string) => cellOf(record.plan, `${target}/single/published`);
    return flagsOfPair(record, cell('top'), cell('middle'));
  };
  const [bound, free] = [expect.closeTo(0.0233, 4), expect.closeTo(0.195, 4)];

  test.each([
    { limited: ['top'], idleShare: bound, otherIdleShare: free },
    { limited: ['middle'], idleShare: free, otherIdleShare: bound },
  ])(
    'fires where the generator was the limit of one of two cells: $limited',
    ({ limited, ...shares }) => {
      const flag = { code: 'REGIME', otherTarget: 'middle', ...shares };
      expect(pairFlags(...limited)).toEqual([flag]);
    },
  );

  test('is silent where both are in the same regime, or one of them was not measured', () => {
    expect(pairFlags()).toEqual([]);
    expect(pairFlags('top', 'middle')).toEqual([]);
    const record = recordOf(({ target }) => (target === 'top' ? { ...HEALTHY, ...BOUND } : null));
    const [floor, , top] = record.plan.cells;
    expect(floor && top && flagsOfPair(record, floor, top)).toEqual([]);
  });
});

describe('HEADROOM', () => {
  /** How many times as often a probe answers, where that is too few times; under the cost load just as often. */
  const ratioAt = (times: number, { probe = CANNED, load = 'published' } = {}) => {
    const story = (cell: { target: string; load: string }): Happened => {
      const faster = cell.target === probe.name && cell.load === 'published';
      return { ...HEALTHY, ok: faster ? 98_000 * times : 98_000 };
    };
    const record = recordOf(story, { probes: [probe] });
    return flagIn(flagsOf(record, cellOf(record.plan, `top/single/${load}`)), 'HEADROOM')?.ratio;
  };

  test('fires where the canned server answers less than 1.2 times as often under the same load', () => {
    expect(ratioAt(1.19)).toBeCloseTo(1.19);
    expect(ratioAt(1.21)).toBeUndefined();
    expect(ratioAt(1.21, { load: 'cost' })).toBeCloseTo(1);
  });

  test('is silent where there was no canned server', () => {
    expect(flagWhen('HEADROOM', {})).toBeNull();
    expect(ratioAt(1.1, { probe: makeTarget('something-else') })).toBeUndefined();
  });
});

describe('UNSATURATED', () => {
  test('fires where neither the server nor the generator was busy', () => {
    const shares = { busyShare: expect.closeTo(0.833), idleShare: expect.closeTo(0.195) };
    expect(flagsWhen({ cpuUsPerResponse: 8.5 })).toEqual([{ code: 'UNSATURATED', ...shares }]);
  });

  test('is silent where the server was busy, its services, or the generator', () => {
    expect(flagsWhen({ cpuUsPerResponse: 8.8 })).toEqual([]);
    const services = { redis: { cpuNs: 5e7, waitNs: 0, bytes: 1e7 } };
    expect(flagsWhen({ cpuUsPerResponse: 8.5, services })).toEqual([]);
    expect(flagWhen('UNSATURATED', { cpuUsPerResponse: 5, ...BOUND })).toBeNull();
  });

  test('expects as many busy cores as there are processes, of shared ones no more than the generator left', () => {
    const own = { machine: makeMachine(), options: { topologies: [2] } };
    const busyOwn = (cpuUsPerResponse: number) => {
      return flagWhen('UNSATURATED', { cpuUsPerResponse }, own, CLUSTER)?.busyShare;
    };
    expect(busyOwn(10)).toBeCloseTo(0.49);
    expect(busyOwn(19)).toBeUndefined();
    const busyShared = (cpuUsPerResponse: number) => {
      const happened = { cpuUsPerResponse, generatorCpuMs: 800, ...SLEEPING };
      return flagWhen('UNSATURATED', happened, { options: { topologies: [2] } }, CLUSTER)
        ?.busyShare;
    };
    // 0.98 of 1.2 cores, and 1.08 of them.
    expect(busyShared(10)).toBeCloseTo(0.817, 3);
    expect(busyShared(11)).toBeUndefined();
  });

  test('is silent where requests come alone, which leaves the server idle between them', () => {
    const happened = { ok: 5, windowS: 1, latenciesMs: [100], cpuUsPerResponse: 99_000 };
    const record = makeClusterRecord(() => happened, { topologies: ['single'] });
    const busyUnder = (load: string) => {
      const cell = cellOf(record.plan, `fib/single/${load}`);
      return flagIn(flagsOf(record, cell), 'UNSATURATED')?.busyShare;
    };
    expect(busyUnder('alone')).toBeUndefined();
    expect(busyUnder('feasible')).toBeCloseTo(0.495, 6);
  });
});
