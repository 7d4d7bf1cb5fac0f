import { describe, expect, test } from 'vitest';
import type { RunOptions } from '../../src/request/run-options.ts';
import { noTimer } from '../../src/run/subjects.ts';
import { frameworks } from '../../src/suites/frameworks.ts';
import { CANNED } from '../../src/targets/canned.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { makeOptions } from '../support/make-record.ts';
import { idsOf, loadsOf, placedBy, topologiesOf } from './loads-of.ts';

const COST = { connections: 100, pipelining: 10 };
const SLICED = { method: 'sliced', sliceNs: 1e9, every: 1, timeoutNs: 10e9 } as const;
const UNBROKEN = { contiguous: true, sliceS: 6 };
const COST_LOAD = {
  ...{ kind: 'closed', id: 'cost', words: 'under the cost load', headline: 'cpu' },
  ...{ ...COST, saturates: true, patient: false, turnNs: 2e6, fromIdle: false },
  // Three rounds of a launch in one slice, in turns of 50 ms.
  ...{ ...SLICED, sliceNs: 3e9, every: 3, blocks: 60 },
};

describe('the loads', () => {
  test('are the one asked for, and the cost load beside it three times as long', () => {
    expect(loadsOf(frameworks)).toEqual([
      {
        ...{ kind: 'closed', id: 'published', words: 'under the published load' },
        ...{ headline: 'throughput', connections: 1000, pipelining: 1 },
        ...{ saturates: true, patient: false, turnNs: 0, blocks: 1, fromIdle: false, ...SLICED },
      },
      { ...COST_LOAD, sliceNs: 9e9, blocks: 180 },
    ]);
  });

  test('are named published only where they are what was published', () => {
    const main = (parts: Partial<RunOptions>) => loadsOf(frameworks, parts)[0];
    const custom = { id: 'custom', words: 'under the custom load' };
    expect(main({ pipelining: 2 })).toMatchObject({ ...custom, connections: 1000, pipelining: 2 });
    expect(main({ connections: 10 })).toMatchObject({ ...custom, connections: 10, pipelining: 1 });
  });

  test('are the cost load once where it is what is asked for, then on all topologies', () => {
    expect(loadsOf(frameworks, COST)).toEqual([COST_LOAD]);
    const everywhere = placedBy(frameworks, { ...COST, topologies: ['single', 2] });
    expect(topologiesOf('cost', everywhere)).toEqual(['single', '2']);
  });

  test('have no cost load where there is no plain process, or nothing is sliced', () => {
    const managed = loadsOf(frameworks, { topologies: [2, 'fork', 'cluster:2'] });
    expect(idsOf(managed)).toEqual(['published']);
    const unbroken = { method: 'contiguous', sliceNs: 6e9 };
    expect(loadsOf(frameworks, UNBROKEN)).toMatchObject([{ id: 'published', ...unbroken }]);
    expect(loadsOf(frameworks, { ...UNBROKEN, ...COST })).toMatchObject([
      { id: 'custom', ...unbroken },
    ]);
  });

  test('have slices that share the time of a launch, and of the cost load one', () => {
    const even = { durationS: 9, launches: 3, sliceS: 1, connections: 100 };
    expect(loadsOf(frameworks, even)).toMatchObject([
      { sliceNs: 1e9, every: 1 },
      { sliceNs: 9e9, every: 3 },
    ]);
    const odd = { durationS: 9, launches: 3, sliceS: 0.6 };
    expect(loadsOf(frameworks, odd)).toMatchObject([
      { sliceNs: 0.6e9 },
      { sliceNs: 9e9, every: 5 },
    ]);
  });

  test('are put on all topologies, but cost is read where nothing is between', () => {
    const placed = placedBy(frameworks, { topologies: [2, 'single', 'fork', 'cluster:2'] });
    expect(topologiesOf('published', placed)).toEqual(['2', 'single', 'fork', 'cluster:2']);
    expect(topologiesOf('cost', placed)).toEqual(['single']);
  });
});

describe('a load beside the cost load', () => {
  const isIn = (parts: Partial<RunOptions>) => {
    const [main, cost] = placedBy(frameworks, parts);
    return [main, cost].map((placed) => placed?.everyLaunch ?? 1);
  };

  test('is on in four of nine launches, for the same time in all', () => {
    const parts = { durationS: 12, launches: 6, connections: 100 };
    expect(isIn(parts)).toEqual([9 / 4, 1]);
    expect(loadsOf(frameworks, parts)).toMatchObject([{ sliceNs: 2e9 }, { sliceNs: 6e9 }]);
  });

  test('is so much longer that it has as much time in three of seven', () => {
    const parts = { durationS: 21, launches: 7, sliceS: 1.5, connections: 100 };
    expect(isIn(parts)).toEqual([9 / 4, 1]);
    expect(loadsOf(frameworks, parts)).toMatchObject([{ sliceNs: 3.5e9 }, { sliceNs: 9e9 }]);
  });

  test('is on in all of them where that would be too few', () => {
    expect(isIn({ launches: 5 })).toEqual([1, 1]);
  });

  test('is on in all of them where no cost load is beside it', () => {
    const [alone] = placedBy(frameworks, { launches: 6, topologies: [2] });
    expect(alone?.everyLaunch).toBeUndefined();
  });
});

describe('a load with more connections than the cost load', () => {
  const FOUR_ROUNDS = { durationS: 8 };

  test('has the same time in half as many slices, each twice as long', () => {
    const [main, cost] = loadsOf(frameworks, FOUR_ROUNDS);
    expect(main).toMatchObject({ id: 'published', sliceNs: 2e9, every: 2 });
    expect(cost).toMatchObject({ id: 'cost', sliceNs: 12e9, every: 4 });
  });

  test('has one in every round where the cost load is not there, or three rounds have no half', () => {
    const usual = { sliceNs: 1e9, every: 1 };
    expect(loadsOf(frameworks, { ...FOUR_ROUNDS, topologies: [2] })).toMatchObject([usual]);
    expect(loadsOf(frameworks, { durationS: 6 })).toMatchObject([usual, { every: 3 }]);
  });

  test('is told from one with fewer, which takes no longer to open', () => {
    const [main] = loadsOf(frameworks, { ...FOUR_ROUNDS, connections: 100 });
    expect(main).toMatchObject({ id: 'custom', sliceNs: 1e9, every: 1 });
  });
});

describe('what is usual', () => {
  test('is the published load, and one question alone where it is to be quick', () => {
    const topologies = ['single', 'max', 2];
    const full = { topologies, connections: 1000, pipelining: 1 };
    expect(frameworks.defaults({})).toMatchObject(full);
    expect(frameworks.defaults({ quick: true })).toMatchObject({ topologies: ['single'], ...COST });
  });

  test('comes in the order of the targets in one piece, and in a random one in slices', () => {
    expect(frameworks.groupOrder(makeOptions(UNBROKEN))).toBe('listed');
    expect(frameworks.groupOrder(makeOptions())).toBe('drawn');
  });

  test('needs no pilot', () => {
    expect(frameworks.pilot(makeOptions())).toBeNull();
  });
});

describe('who is measured', () => {
  const subjectsOf = (parts: Partial<RunOptions> = {}, targets?: string[]) => {
    const given = targets === undefined ? {} : { targets };
    return frameworks.subjects({ given, packages: FIXTURES, options: makeOptions(parts) });
  };

  test('are the targets of its suite, or those that are named', () => {
    const usual = subjectsOf().targets;
    expect(usual.length).toBeGreaterThan(1);
    for (const { suite } of usual) expect(suite).toBe('frameworks');
    expect(subjectsOf({}, ['ok']).targets.map(({ name }) => name)).toEqual(['ok']);
  });

  test('are probed by a canned answer, but where everything is in one piece', () => {
    expect(subjectsOf()).toMatchObject({ probes: [CANNED], readTimer: noTimer });
    expect(subjectsOf(UNBROKEN).probes).toEqual([]);
  });
});
