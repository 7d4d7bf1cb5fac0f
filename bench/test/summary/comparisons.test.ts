import { describe, expect, test } from 'vitest';
import type { RunOptions } from '../../src/request/run-options.ts';
import { frameworks } from '../../src/suites/frameworks.ts';
import { pm2Tax } from '../../src/suites/pm2-tax.ts';
import { runtimesOf, summarizeRuntimes, summarizeVariants } from '../../src/summary/comparisons.ts';
import { perRuntime } from '../../src/targets/copies.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import {
  makeMachine,
  makeRecord,
  makeTarget,
  type NamedRules,
  type Recorded,
  STACK,
} from '../support/make-record.ts';
import { BUN } from '../support/make-runtimes.ts';
import { summariesOf, summaryOf } from '../support/summaries.ts';

describe('topologies', () => {
  const topologiesOf = (parts: Recorded) => {
    return summariesOf(makeRecord(parts, () => ({ ok: 100 }))).topologies;
  };

  test('have no speed-up without a single process', () => {
    const [found] = topologiesOf({ options: { topologies: [2, 4] } })?.targets ?? [];
    const all = found?.rows.map(({ comparison, state }) => [comparison, state]);
    expect(all).toEqual(Array(2).fill([null, 'measured']));
  });

  test('are not compared if there is only one, under whatever names, or one in which a target runs', () => {
    expect(topologiesOf({ options: { topologies: ['single'] } })).toBeNull();
    const machine = makeMachine({ parallelism: 2 });
    expect(topologiesOf({ options: { topologies: ['max', 2] }, machine })).toBeNull();
    const targets = perRuntime(STACK, [BUN]);
    expect(topologiesOf({ options: { topologies: ['single', 2] }, targets })).toBeNull();
  });
});

describe('the price of a process manager', () => {
  const taxesOf = (asked: Partial<RunOptions>, suite: NamedRules = pm2Tax) => {
    const options = { connections: 100, pipelining: 10, ...asked };
    const record = makeRecord({ suite, targets: [makeTarget('app')], options }, ({ topology }) => {
      return { ok: 1000, cpuUsPerResponse: topology === 'pmx:1' ? 11 : 10 };
    });
    return summariesOf(record).taxes;
  };

  test('has plain node as its base wherever that is named', () => {
    const [tax] = taxesOf({ topologies: ['pmx:1', 'single', 'fork'] }) ?? [];
    const found = tax?.rows.map(({ topology, comparison }) => [topology.id, comparison?.verdict]);
    expect(found).toEqual([
      ['pmx:1', 'slower'],
      ['single', undefined],
      ['fork', 'same'],
    ]);
    expect(taxesOf({ topologies: ['fork', 1] })).toBeNull();
  });

  test('is read under the cost load, whatever else is measured', () => {
    const taxes = taxesOf({ connections: 50 }, frameworks) ?? [];
    const loads = taxes.flatMap(({ rows }) => rows.map(({ cell }) => cell.load));
    expect(loads).toEqual(['cost']);
  });
});

const measured = (targets: LocalTarget[]) => makeRecord({ targets }, () => ({ ok: 1000 }));

test.each([
  [perRuntime(STACK, [BUN]), ['bun']],
  [STACK, []],
])('runtimes are not compared if there are not several', (targets, kinds) => {
  const record = measured(targets);
  expect(summarizeRuntimes(record, summaryOf(record).conditions)).toBeNull();
  expect(runtimesOf(record).map(({ kind }) => kind)).toEqual(kinds);
});

test('variants that are also built on what they are variants of are shown once, as overheads', () => {
  const standing = makeTarget('changed', { over: 'top', variantOf: 'top' });
  const record = measured([...STACK, standing]);
  expect(summarizeVariants(record, summaryOf(record).conditions)).toBeNull();
  expect(summariesOf(record).overheads?.rows).toHaveLength(3);
});
