import { describe, expect, test } from 'vitest';
import { resolveTopologies } from '../../src/plan/topology.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { frameworks } from '../../src/suites/frameworks.ts';
import { CANNED } from '../../src/targets/canned.ts';
import { runAsked } from '../support/ask.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { makeMachine, makeOptions } from '../support/make-record.ts';
import { idsOf, loadsOf, placedBy, topologiesOf } from './loads-of.ts';

const COST = { connections: 100, pipelining: 10 };
const UNBROKEN = { contiguous: true, sliceS: 6 };
const COMMON = {
  ...{ kind: 'closed', method: 'sliced', timeoutNs: 10e9 },
  ...{ waitForAll: false, drainBetweenSlices: false },
};
const MAIN_LOAD = {
  ...{ ...COMMON, id: 'published', label: 'under the published load', headline: 'throughput' },
  ...{ connections: 1000, pipelining: 1, saturates: true, minLoopTurnNs: 0 },
  ...{ sliceNs: 1e9, everyNthRound: 1, blocks: 1 },
};
const COST_LOAD = {
  ...{ ...COMMON, id: 'cost', label: 'under the cost load', headline: 'cpu' },
  ...{ ...COST, saturates: true, minLoopTurnNs: 2e6 },
  // Three rounds of a launch in one slice, in turns of 50 ms.
  ...{ sliceNs: 3e9, everyNthRound: 3, blocks: 60 },
};
const LOW_LOAD = {
  ...{ ...COST_LOAD, id: 'low', label: 'at a low rate', connections: 1, pipelining: 1 },
  ...{ saturates: false, minLoopTurnNs: 1e6, sliceNs: 0.9e9, blocks: 18 },
};

describe('the loads', () => {
  test('are the one asked for, and the cost load and a low rate beside it', () => {
    expect(loadsOf(frameworks)).toEqual([MAIN_LOAD, COST_LOAD, LOW_LOAD]);
    expect(frameworks.pilot(makeOptions())).toBeNull();
  });

  test.each<[Partial<RunOptions>, object[]]>([
    [{ ...COST, topologies: ['single', 2] }, [{ id: 'cost' }]],
    [{ topologies: [2, 'fork', 'cluster:2'] }, [{ id: 'published' }]],
    [UNBROKEN, [{ id: 'published', method: 'contiguous', sliceNs: 6e9 }]],
    [{ ...UNBROKEN, ...COST }, [{ id: 'custom', method: 'contiguous' }]],
    [{ pipelining: 2 }, [{ id: 'custom', pipelining: 2 }, { id: 'cost' }, { id: 'low' }]],
    [{ connections: 10 }, [{ id: 'custom', connections: 10 }, { id: 'cost' }, { id: 'low' }]],
    [
      { durationS: 9, launches: 3, sliceS: 0.6 },
      [
        { sliceNs: 0.6e9, everyNthRound: 1 },
        { sliceNs: 3e9, everyNthRound: 5 },
        { sliceNs: 0.9e9, everyNthRound: 5 },
      ],
    ],
  ])('with %j are %j', (parts, loads) => {
    expect(loadsOf(frameworks, parts)).toMatchObject(loads);
  });

  test('with --as-published are the published one alone, once, on single processes, without a warm-up', () => {
    const { options } = runAsked('frameworks', '--as-published');
    expect(options).toMatchObject({ topologies: ['single'], launches: 1, warmupS: 0 });
    expect(loadsOf(frameworks, options)).toMatchObject([
      { id: 'published', method: 'contiguous', connections: 1000, pipelining: 1, sliceNs: 30e9 },
    ]);
  });

  test('are put on all topologies, but cost is read where nothing is between', () => {
    const placed = placedBy(frameworks, { topologies: [2, 'single', 'fork', 'cluster:2'] });
    expect(topologiesOf('published', placed)).toEqual(['2', 'single', 'fork', 'cluster:2']);
    expect(topologiesOf('cost', placed)).toEqual(['single']);
    expect(topologiesOf('low', placed)).toEqual(['single']);
    const everywhere = placedBy(frameworks, { ...COST, topologies: ['single', 2] });
    expect(topologiesOf('cost', everywhere)).toEqual(['single', '2']);
  });

  test('are not at a low rate where servers have the core of the generator too', () => {
    const options = makeOptions();
    const machine = makeMachine({ canPin: false });
    const topologies = resolveTopologies(options.topologies, machine);
    const placed = frameworks.loads({ options, topologies, machine, pilot: { kind: 'none' } });
    expect(idsOf(placed.map(({ load }) => load))).toContain('low');
    expect(topologiesOf('low', placed)).toEqual([]);
  });
});

test('comes in the order of the targets in one piece, and in a random one in slices', () => {
  expect(frameworks.groupOrder(makeOptions(UNBROKEN))).toBe('listed');
  expect(frameworks.groupOrder(makeOptions())).toBe('drawn');
});

test('who is measured is probed by a canned answer, but where everything is in one piece', () => {
  const subjectsOf = (parts: Partial<RunOptions> = {}) => {
    return frameworks.subjects({ given: {}, packages: FIXTURES, options: makeOptions(parts) });
  };
  const { targets, probes } = subjectsOf();
  expect(new Set(targets.map(({ suite }) => suite))).toEqual(new Set(['frameworks']));
  expect(probes).toEqual([CANNED]);
  expect(subjectsOf(UNBROKEN).probes).toEqual([]);
});
