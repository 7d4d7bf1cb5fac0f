import { describe, expect, test } from 'vitest';
import type { PilotResult } from '../../src/plan/loads.ts';
import type { Rate } from '../../src/request/option-values.ts';
import { cluster } from '../../src/suites/cluster.ts';
import { frameworks } from '../../src/suites/frameworks.ts';
import { ratesOf } from '../../src/suites/rates.ts';
import { runOf } from '../../src/suites/run.ts';
import type { Suite } from '../../src/suites/suite.ts';
import { sampledOn, unsampled, whereOf } from '../../src/suites/where.ts';
import { FOR_PROFILES } from '../../src/system/inspector.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { makeOptions, makeTarget, planOf, STACK } from '../support/make-record.ts';
import { BUN } from '../support/make-runtimes.ts';
import { ownSuite } from '../support/own-workloads.ts';

const where = whereOf(frameworks);

test('every server is measured in both ways, in every round, in the same processes, and unsampled beside it', () => {
  const plan = planOf({}, { suite: where, targets: [...STACK, ...STACK.map(unsampled)] });
  const ways = plan.cells.map(({ server, arrangement }) => `${server} ${arrangement}`);
  const ofTop = ['top/single standard', 'top/single profiled', 'top@unsampled/single standard'];
  expect(ways).toHaveLength(9);
  expect(ways.filter((way) => way.startsWith('top'))).toEqual(ofTop);
  for (const group of plan.launches.flat()) {
    for (const round of group.rounds) expect([...round].sort()).toEqual([...group.cells].sort());
  }
});

test('the load is the one that cost is read under, never interleaved, in slices as long as is asked', () => {
  const plan = planOf({ durationS: 12, sliceS: 1, launches: 4 }, { suite: where });
  const facts = { id: 'cost', headline: 'cpu', blocks: 1, connections: 100 };
  expect(plan.loads).toMatchObject([{ ...facts, sliceNs: 1e9, everyNthRound: 1 }]);
});

test('slices that a slow server needs longer stay as long', () => {
  const pilot = { kind: 'service', server: 'floor', serviceNs: 1e8 } as const;
  const plans = [cluster, whereOf(cluster)].map((suite) => planOf({ sliceS: 1 }, { suite, pilot }));
  const [own, sampled] = plans.map(({ loads: [first] }) => first?.sliceNs);
  expect(sampled).toBeGreaterThan(1e9);
  expect(sampled).toBe(own);
});

test.each<[string, Suite, PilotResult]>([
  ['ladder', ownSuite('ladder'), { kind: 'none' }],
  ['cluster', cluster, { kind: 'service', server: 'floor', serviceNs: 1e6 }],
  ['rates', ratesOf('frameworks'), { kind: 'capacity', server: 'floor', perS: 1000 }],
  ['bidder', ownSuite('bidder'), { kind: 'singleRequest', server: 'floor', cpuNs: 1e6 }],
])('%s has a load that keeps a server busy', (_, inner, pilot) => {
  const rates: Rate[] = [{ kind: 'per second', perS: 100 }];
  const plan = planOf({ rates }, { suite: whereOf(inner), pilot });
  expect(plan.loads).toMatchObject([{ kind: 'closed', saturates: true, blocks: 1 }]);
  expect(plan.topologies.map(({ id }) => id)).toEqual(['single']);
});

describe('who is sampled', () => {
  const node = makeTarget('app', { env: { A: '1' } });
  const others = [
    makeTarget('go', { start: ['./server'] }),
    makeTarget('on-bun', { runtime: BUN }),
    makeTarget('up', { external: { origin: 'http://127.0.0.1:8080', pids: [1] } }),
  ];
  const subjectsOf = (...targets: LocalTarget[]) => {
    const asked = { given: {}, packages: '', options: makeOptions() };
    return whereOf(runOf(targets, { kind: 'none' })).subjects(asked);
  };

  test('is who runs on Node and is started here; of the others it is said why not', () => {
    const { targets, leftOut } = subjectsOf(node, ...others);
    expect(targets.map(({ name }) => name)).toEqual(['app', 'app@unsampled']);
    expect(targets.map(({ start }) => start.length)).toEqual([4, 2]);
    expect(leftOut.map((each) => each.split(':')[0])).toEqual(['go', 'on-bun', 'up']);
  });

  test('has what the sampler needs before its script, and is else as it was', () => {
    const { start, ...rest } = sampledOn(node);
    expect(start).toEqual(['node', ...FOR_PROFILES, 'dist/main.js']);
    expect(node).toMatchObject(rest);
  });

  test('nobody is refused', () => {
    expect(() => subjectsOf(...others)).toThrow('no target here runs on Node');
  });
});
