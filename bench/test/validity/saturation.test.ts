import { describe, expect, test } from 'vitest';
import { cellOf } from '../../src/plan/plan.ts';
import { CANNED } from '../../src/targets/canned.ts';
import { flagsOf, flagsOfPair } from '../../src/validity/flags.ts';
import { makeClusterRecord } from '../support/make-cluster-record.ts';
import { makeMachine, makeTarget } from '../support/make-record.ts';
import { flagIn, flagsWhen, HEALTHY, recordOf } from './cells.ts';

/** Nearly every turn is empty, and yet they take hardly any time. */
const BOUND = { turns: { all: 30_000, empty: 29_900, idleNs: 23322000 } };
const CLUSTER = 'floor/2/published';

describe('GENERATOR_BOUND', () => {
  test('fires where empty turns of an event loop that never sleeps took next to no time', () => {
    const [flag, ...others] = flagsWhen(BOUND);
    expect(others).toEqual([]);
    expect(flag).toEqual({ code: 'GENERATOR_BOUND', idleShare: expect.closeTo(0.0233, 4) });
  });

  test('is silent where they took a little more', () => {
    expect(flagsWhen({ turns: { all: 60_000, empty: 45_000, idleNs: 35100000 } })).toEqual([]);
  });

  test('fires where more than half of the slices say so, as a median does', () => {
    const inRounds = (...bound: number[]) =>
      flagsWhen((_launch, round) => (bound.includes(round) ? BOUND : {}));
    expect(flagIn(inRounds(0, 2), 'GENERATOR_BOUND')).not.toBeNull();
    expect(inRounds(0)).toEqual([]);
  });

  test('of generators that sleep fires where they used all of their CPU time', () => {
    const sleeping = (generatorCpuMs: number, generators: number) => {
      const happened = { generatorCpuMs, generators, turns: { all: 0, empty: 0, idleNs: 0 } };
      return flagIn(flagsWhen(happened), 'GENERATOR_BOUND');
    };
    expect(sleeping(980, 1)?.idleShare).toBeCloseTo(0.02);
    expect(sleeping(960, 1)).toBeNull();
    expect(sleeping(1960, 2)?.idleShare).toBeCloseTo(0.02);
    expect(sleeping(980, 2)).toBeNull();
  });
});

describe('REGIME', () => {
  const pairFlags = (...bound: string[]) => {
    const record = recordOf(({ target }) => ({
      ...HEALTHY,
      ...(bound.includes(target) ? BOUND : {}),
    }));
    const cell = (target: string) => cellOf(record.plan, `${target}/single/published`);
    return flagsOfPair(record, cell('top'), cell('middle'));
  };

  test('fires where the generator was the limit of one of two cells, whichever', () => {
    const places = { otherTarget: 'middle' };
    const [bound, free] = [expect.closeTo(0.0233, 4), expect.closeTo(0.195, 4)];
    expect(pairFlags('top')).toEqual([
      { code: 'REGIME', ...places, idleShare: bound, otherIdleShare: free },
    ]);
    expect(pairFlags('middle')).toEqual([
      { code: 'REGIME', ...places, idleShare: free, otherIdleShare: bound },
    ]);
  });

  test('is silent where both are in the same regime', () => {
    expect(pairFlags()).toEqual([]);
    expect(pairFlags('top', 'middle')).toEqual([]);
  });

  test('is silent where one of them was not measured', () => {
    const record = recordOf(({ target }) => (target === 'top' ? { ...HEALTHY, ...BOUND } : null));
    const [floor, , top] = record.plan.cells;
    expect(floor && top && flagsOfPair(record, floor, top)).toEqual([]);
  });
});

describe('HEADROOM', () => {
  /** The flag where a probe answers so many times as often, and under the cost load just as often. */
  const flagAt = (times: number, { probe = CANNED, load = 'published' } = {}) => {
    const record = recordOf(
      (cell) => {
        const faster = cell.target === probe.name && cell.load === 'published';
        return { ...HEALTHY, ok: faster ? 98_000 * times : 98_000 };
      },
      { probes: [probe] },
    );
    return flagIn(flagsOf(record, cellOf(record.plan, `top/single/${load}`)), 'HEADROOM');
  };

  test('fires where the canned server answers less than 1.2 times as often', () => {
    expect(flagAt(1.19)).toEqual({ code: 'HEADROOM', ratio: expect.closeTo(1.19) });
  });

  test('is silent where it answers more often', () => {
    expect(flagAt(1.21)).toBeNull();
  });

  test('goes by the canned server under the same load', () => {
    expect(flagAt(1.21, { load: 'cost' })).toMatchObject({ ratio: expect.closeTo(1) });
  });

  test('is silent where there was no canned server', () => {
    expect(flagIn(flagsWhen({}), 'HEADROOM')).toBeNull();
    expect(flagAt(1.1, { probe: makeTarget('something-else') })).toBeNull();
  });
});

describe('UNSATURATED', () => {
  test('fires where neither the server nor the generator was busy', () => {
    expect(flagsWhen({ cpuUsPerResponse: 8.5 })).toEqual([
      {
        code: 'UNSATURATED',
        busyShare: expect.closeTo(0.833),
        idleShare: expect.closeTo(0.195),
      },
    ]);
  });

  test('is silent where the server was busy', () => {
    expect(flagsWhen({ cpuUsPerResponse: 8.8 })).toEqual([]);
  });

  test('is silent where the services that share its cores were', () => {
    const services = { redis: { cpuNs: 5e7, waitNs: 0, bytes: 1e7 } };
    expect(flagsWhen({ cpuUsPerResponse: 8.5, services })).toEqual([]);
  });

  test('is silent where the generator was', () => {
    const flags = flagsWhen({ cpuUsPerResponse: 5, ...BOUND });
    expect(flags.map(({ code }) => code)).toEqual(['GENERATOR_BOUND']);
  });

  test('expects as many busy cores as there are processes', () => {
    const parts = { machine: makeMachine(), options: { topologies: [2] } };
    const flag = (cpuUsPerResponse: number) => {
      return flagIn(flagsWhen({ cpuUsPerResponse }, parts, CLUSTER), 'UNSATURATED');
    };
    expect(flag(10)?.busyShare).toBeCloseTo(0.49);
    expect(flag(19)).toBeNull();
  });

  test('is silent where requests come alone, which leaves the server idle between them', () => {
    const happened = { ok: 5, windowS: 1, latenciesMs: [100], cpuUsPerResponse: 99_000 };
    const record = makeClusterRecord(() => happened, { topologies: ['single'] });
    const flagUnder = (load: string) => {
      return flagIn(flagsOf(record, cellOf(record.plan, `fib/single/${load}`)), 'UNSATURATED');
    };
    expect(flagUnder('alone')).toBeNull();
    expect(flagUnder('feasible')?.busyShare).toBeCloseTo(0.495, 6);
  });

  test('of shared cores expects no more than the generator left', () => {
    const flag = (cpuUsPerResponse: number) => {
      const happened = {
        cpuUsPerResponse,
        generatorCpuMs: 800,
        turns: { all: 0, empty: 0, idleNs: 0 },
      };
      const flags = flagsWhen(happened, { options: { topologies: [2] } }, CLUSTER);
      return flagIn(flags, 'UNSATURATED');
    };
    // 0.98 of 1.2 cores, and 1.08 of them.
    expect(flag(10)?.busyShare).toBeCloseTo(0.817, 3);
    expect(flag(11)).toBeNull();
  });
});
