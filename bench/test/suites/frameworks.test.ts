import { describe, expect, test } from 'vitest';
import { resolveTopologies } from '../../src/plan/topology.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { noTimer } from '../../src/run/measured-targets.ts';
import { frameworks } from '../../src/suites/frameworks.ts';
import { CANNED } from '../../src/targets/canned.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { makeMachine, makeOptions } from '../support/make-record.ts';
import { idsOf, loadsOf, placedBy, topologiesOf } from './loads-of.ts';

const COST = { connections: 100, pipelining: 10 };
const SLICED = { method: 'sliced', sliceNs: 1e9, every: 1, timeoutNs: 10e9 } as const;
const UNBROKEN = { contiguous: true, sliceS: 6 };
const COST_LOAD = {
  ...{ kind: 'closed', id: 'cost', words: 'under the cost load', headline: 'cpu' },
  ...{ ...COST, saturates: true, waitForAll: false, turnNs: 2e6, drainBetweenSlices: false },
  // Three rounds of a launch in one slice, in turns of 50 ms.
  ...{ ...SLICED, sliceNs: 3e9, every: 3, blocks: 60 },
};
const LOW_LOAD = {
  ...COST_LOAD,
  ...{ id: 'low', words: 'at a low rate', connections: 1, pipelining: 1 },
  ...{ saturates: false, turnNs: 1e6, sliceNs: 0.9e9, blocks: 18 },
};

describe('the loads', () => {
  test('are the one asked for, and the cost load and a low rate beside it', () => {
    expect(loadsOf(frameworks)).toEqual([
      {
        ...{ kind: 'closed', id: 'published', words: 'under the published load' },
        ...{ headline: 'throughput', connections: 1000, pipelining: 1 },
        ...{
          saturates: true,
          waitForAll: false,
          turnNs: 0,
          blocks: 1,
          drainBetweenSlices: false,
          ...SLICED,
        },
      },
      COST_LOAD,
      LOW_LOAD,
    ]);
  });

  test('are named published only where they are what was published', () => {
    const main = (parts: Partial<RunOptions>) => loadsOf(frameworks, parts)[0];
    const custom = { id: 'custom', words: 'under the custom load' };
    expect(main({ pipelining: 2 })).toMatchObject({ ...custom, connections: 1000, pipelining: 2 });
    expect(main({ connections: 10 })).toMatchObject({ ...custom, connections: 10, pipelining: 1 });
  });

  test('are the cost load alone where it is what is asked for, then on all topologies', () => {
    expect(loadsOf(frameworks, COST)).toEqual([COST_LOAD]);
    const everywhere = placedBy(frameworks, { ...COST, topologies: ['single', 2] });
    expect(topologiesOf('cost', everywhere)).toEqual(['single', '2']);
  });

  test('have none beside them where there is no plain process, or nothing is sliced', () => {
    const managed = loadsOf(frameworks, { topologies: [2, 'fork', 'cluster:2'] });
    expect(idsOf(managed)).toEqual(['published']);
    const unbroken = { method: 'contiguous', sliceNs: 6e9 };
    expect(loadsOf(frameworks, UNBROKEN)).toMatchObject([{ id: 'published', ...unbroken }]);
    expect(loadsOf(frameworks, { ...UNBROKEN, ...COST })).toMatchObject([
      { id: 'custom', ...unbroken },
    ]);
  });

  test('have slices that share the time of a launch, and those beside them one', () => {
    expect(loadsOf(frameworks, { durationS: 9, launches: 3, sliceS: 0.6 })).toMatchObject([
      { sliceNs: 0.6e9, every: 1 },
      { sliceNs: 3e9, every: 5 },
      { sliceNs: 0.9e9, every: 5 },
    ]);
  });

  test('are put on all topologies, but cost is read where nothing is between', () => {
    const placed = placedBy(frameworks, { topologies: [2, 'single', 'fork', 'cluster:2'] });
    expect(topologiesOf('published', placed)).toEqual(['2', 'single', 'fork', 'cluster:2']);
    expect(topologiesOf('cost', placed)).toEqual(['single']);
    expect(topologiesOf('low', placed)).toEqual(['single']);
  });
});

test('a low rate is not kept where servers have the core of the generator too', () => {
  const options = makeOptions();
  const machine = makeMachine({ canPin: false });
  const topologies = resolveTopologies(options.topologies, machine);
  const placed = frameworks.loads({ options, topologies, machine, basis: { kind: 'none' } });
  expect(topologiesOf('low', placed)).toEqual([]);
});

describe('what is usual', () => {
  test('is the published load for 30 s, and one question alone where it is to be quick', () => {
    const topologies = ['single', 'max', 2];
    const full = { topologies, connections: 1000, pipelining: 1, durationS: 30 };
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
