import { describe, expect, test } from 'vitest';
import { figuresOf, floorCellOf, slicesOf } from '../../src/figures/figures.ts';
import { pointOf } from '../../src/math/statistics.ts';
import { cellOf } from '../../src/plan/plan.ts';
import type { RunRecord } from '../../src/record/record.ts';
import type { TopologyName } from '../../src/request/option-values.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { frameworks } from '../../src/suites/frameworks.ts';
import { pm2Tax } from '../../src/suites/pm2-tax.ts';
import {
  runtimesOf,
  summarizeRuntimes,
  summarizeVariants,
  type Tax,
} from '../../src/summary/comparisons.ts';
import { perRuntime } from '../../src/targets/copies.ts';
import { around } from '../support/estimates.ts';
import { failuresOf } from '../support/failures.ts';
import {
  makeMachine,
  makeRecord,
  makeTarget,
  type Recorded,
  STACK,
  type Story,
} from '../support/make-record.ts';
import { BUN, NEW, OLD } from '../support/make-runtimes.ts';
import { summariesOf, summaryOf } from '../support/summaries.ts';

const THREE_LAUNCHES = { connections: 100, pipelining: 10, launches: 3, durationS: 6 };
/** The machine is a tenth slower in every other launch. */
const paceIn = (launch: number) => 1 + 0.1 * (launch % 2);

describe('topologies', () => {
  const SPEEDS: Record<string, number> = { single: 100, '2': 150, '4': 300 };
  /** Of a record where the machine is twice as fast in launches and rounds with an odd number. */
  const topologiesOf = (options: Partial<RunOptions>, parts: Recorded = {}) => {
    const record = makeRecord({ options, ...parts }, ({ target, topology }, launch, round) => {
      const pace = 1 + ((launch + round) % 2);
      return { ok: (SPEEDS[topology] ?? 0) * pace * (target === 'top' ? 0.5 : 1) };
    });
    return summariesOf(record).topologies;
  };

  test('are compared with the single process within launches, under the main load', () => {
    const amounts = { launches: 4, durationS: 12 };
    const topologies = topologiesOf({ ...amounts, topologies: [2, 'single', 'max'] });
    expect(topologies?.load.id).toBe('published');
    expect(topologies?.rows.map(({ target }) => target.name)).toEqual(['floor', 'middle', 'top']);
    for (const { target, entries } of topologies?.rows ?? []) {
      expect(entries.map(({ topology }) => topology.id)).toEqual(['2', 'single', '4']);
      // Three rounds are 4/3 times as fast as usual on average, or 5/3 in every other launch, so differences are those
      // times as large: s = (5/3 − 4/3) / √3 and half = t(0.975, 3) × s / √4 of the usual one. The ratio is the same
      // in all of them.
      const faster = (usual: number, ratio: number) => ({
        ratio: around(ratio, 0),
        difference: around(1.5 * usual, 0.3062305 * usual, 3),
        verdict: 'faster',
      });
      const usual = target.name === 'top' ? 50 : 100;
      const speedUps = entries.map(({ speedUp }) => speedUp);
      expect(speedUps).toEqual([faster(usual / 2, 1.5), null, faster(usual * 2, 3)]);
    }
  });

  test('have no speed-up without a single process', () => {
    const [row] = topologiesOf({ topologies: [2, 4] })?.rows ?? [];
    const found = row?.entries.map(({ speedUp, throughput }) => [speedUp, throughput.kind]);
    expect(found).toEqual(Array(2).fill([null, 'interval']));
  });

  test('are not compared if there is only one, under whatever names, or one in which a target runs', () => {
    expect(topologiesOf({ topologies: ['single'] })).toBeNull();
    const machine = makeMachine({ parallelism: 2 });
    expect(topologiesOf({ topologies: ['max', 2] }, { machine })).toBeNull();
    const targets = perRuntime(STACK, [BUN]);
    expect(topologiesOf({ topologies: ['single', 2] }, { targets })).toBeNull();
  });
});

describe('the price of a process manager', () => {
  const COSTS: Record<string, number> = {
    ...{ single: 10, fork: 10, '1': 10.6, 'pmx:1': 10.9, 'cluster:1': 9 },
  };
  const WAYS: TopologyName[] = ['single', 'fork', 1, 'pmx:1', 'cluster:1'];
  /** The slow target costs twice as much. */
  const usual: Story = ({ topology, target }, launch) => {
    const cpuUsPerResponse = (COSTS[topology] ?? 0) * paceIn(launch) * (target === 'slow' ? 2 : 1);
    return { ok: 1000, cpuUsPerResponse };
  };
  /** What each manager costs the fast target and the slow one. */
  const taxesOf = ({ options = {}, ...parts }: Recorded = {}, story = usual) => {
    const targets = [makeTarget('fast'), makeTarget('slow')];
    const asked = { topologies: WAYS, ...THREE_LAUNCHES, ...options };
    const record = makeRecord({ suite: pm2Tax, targets, options: asked, ...parts }, story);
    return summariesOf(record).taxes;
  };
  const rowsOf = (tax: Tax | undefined) => {
    return (tax?.rows ?? []).map(({ topology, comparison }) => ({ id: topology.id, comparison }));
  };
  const verdictsOf = (tax: Tax | undefined) => {
    return rowsOf(tax).map(({ comparison }) => comparison?.verdict ?? null);
  };

  test('is what a target costs more than with plain node, within launches', () => {
    const [fast, slow] = taxesOf() ?? [];
    expect([fast, slow].map((tax) => tax?.target.name)).toEqual(['fast', 'slow']);
    // The difference grows with the pace of the machine, 1, 1.1 and 1 in the launches; the ratio does not.
    const more = (us: number, times: number, verdict: string) => ({
      difference: { value: expect.closeTo((us * 3100) / 3, 6) },
      ratio: { value: expect.closeTo(times, 6) },
      verdict,
    });
    expect(rowsOf(fast)).toMatchObject([
      { id: 'single', comparison: null },
      { id: 'fork', comparison: more(0, 1, 'same') },
      { id: '1', comparison: more(0.6, 1.06, 'slower') },
      { id: 'pmx:1', comparison: more(0.9, 1.09, 'slower') },
      { id: 'cluster:1', comparison: more(-1, 0.9, 'faster') },
    ]);
    expect(rowsOf(slow)[2]).toMatchObject({ comparison: more(1.2, 1.06, 'slower') });
  });

  test('has plain node as its base wherever that is named', () => {
    const [tax] = taxesOf({ options: { topologies: ['pmx:1', 'single', 'fork'] } }) ?? [];
    expect(rowsOf(tax).map(({ id }) => id)).toEqual(['pmx:1', 'single', 'fork']);
    expect(verdictsOf(tax)).toEqual(['slower', null, 'same']);
    expect(taxesOf({ options: { topologies: ['fork', 1] } })).toBeNull();
  });

  test('is read under the cost load, whatever else is measured', () => {
    const taxes = taxesOf({ options: { connections: 50 }, suite: frameworks }) ?? [];
    const loads = taxes.flatMap(({ rows }) => rows.map(({ summary }) => summary.cell.load));
    expect(loads).toEqual(['cost', 'cost']);
  });

  const all = [null, 'same', 'slower', 'slower', 'faster'];
  const none = all.map(() => null);
  test.each([
    ['fast/pmx:1', all.with(3, null)],
    ['fast/single', none],
  ])('is unknown with a server that failed, which still has a row: %s', (server, fast) => {
    const taxes = taxesOf({ failures: failuresOf(server) });
    expect(taxes?.map(verdictsOf)).toEqual([fast, all]);
    expect(taxesOf({}, () => null)?.map(verdictsOf)).toEqual([none, none]);
  });
});

describe('runtimes', () => {
  /** On the old Node a request takes twice, on Bun half of what it takes on the new one. */
  const TIMES: Record<string, number> = { '22.1.0': 2, '24.1.0': 1, '1.4.5': 0.5 };
  const COSTS: Record<string, number> = { floor: 10, middle: 15, top: 30 };
  const TARGETS = perRuntime(STACK, [NEW, OLD, BUN]);
  const recordOf = (targets = TARGETS, { options = {}, ...parts }: Recorded = {}) => {
    const asked = { ...THREE_LAUNCHES, ...options };
    return makeRecord({ targets, options: asked, ...parts }, ({ target }, launch) => {
      const [name = '', runtime = ''] = target.split('@');
      const times = TIMES[runtime.replace(/^.*-/, '')] ?? 1;
      return { ok: 1000, cpuUsPerResponse: (COSTS[name] ?? 20) * times * paceIn(launch) };
    });
  };
  const USUAL = recordOf();
  const tableOf = (record: RunRecord) => summarizeRuntimes(record, summaryOf(record).conditions);
  const variantsOf = (record: RunRecord) => summarizeVariants(record, summaryOf(record).conditions);

  test('are compared with the first one, target by target', () => {
    const { rows, base } = tableOf(USUAL) ?? {};
    expect(base).toMatchObject({ kind: 'node', version: '24.1.0' });
    const found = rows?.map(({ target, comparison }) => {
      const ratio = comparison && pointOf(comparison.ratio)?.toFixed(6);
      return [target.name, ratio, comparison?.verdict];
    });
    const expected = ['floor', 'middle', 'top'].flatMap((name) => [
      [`${name}@node-24.1.0`, null, undefined],
      [`${name}@node-22.1.0`, '2.000000', 'slower'],
      [`${name}@bun-1.4.5`, '0.500000', 'faster'],
    ]);
    expect(found).toEqual(expected);
  });

  test('have a row without comparison for a target that one fails on', () => {
    const failures = failuresOf('top@bun-1.4.5/single');
    const { rows = [] } = tableOf(recordOf(TARGETS, { failures })) ?? {};
    const failed = rows.filter(({ summary }) => summary.outcome.state === 'failed');
    expect(failed).toMatchObject([{ target: { name: 'top@bun-1.4.5' }, comparison: null }]);
    expect(rows.filter(({ comparison }) => comparison !== null)).toHaveLength(5);
  });

  test.each([
    [perRuntime(STACK, [BUN]), ['bun']],
    [STACK, []],
  ])('are not compared if there are not several', (targets, kinds) => {
    const record = recordOf(targets);
    expect(tableOf(record)).toBeNull();
    expect(runtimesOf(record).map(({ kind }) => kind)).toEqual(kinds);
  });

  test.each<[TopologyName[], kinds: string[]]>([
    [['single', 2], ['bun']],
    [['single'], []],
  ])('that no process manager keeps are known: with %j %j', (topologies, kinds) => {
    const { unkept } = tableOf(recordOf(TARGETS, { options: { topologies } })) ?? {};
    expect(unkept?.map(({ kind }) => kind)).toEqual(kinds);
  });

  test('have a floor and overheads each', () => {
    for (const cell of USUAL.plan.cells) {
      expect(floorCellOf(USUAL, cell)?.target).toBe(`floor@${cell.target.split('@')[1]}`);
    }
    const top = cellOf(USUAL.plan, 'top@bun-1.4.5/single/cost');
    const { timesFloor } = figuresOf(USUAL, top, slicesOf(USUAL, top));
    expect(pointOf(timesFloor)).toBeCloseTo(3, 6);
    const { rows = [] } = summariesOf(USUAL).overheads ?? {};
    expect(rows).toHaveLength(6);
    for (const { target, over } of rows) expect(target.runtime).toEqual(over.runtime);
  });

  test('have variants, which are compared with what they are variants of there', () => {
    const changed = makeTarget('changed', { over: 'floor', variantOf: 'top' });
    const { rows = [] } = variantsOf(recordOf(perRuntime([...STACK, changed], [NEW, BUN]))) ?? {};
    const comparison = { ratio: { value: expect.closeTo(2 / 3, 6) }, verdict: 'faster' };
    const expected = ['node-24.1.0', 'bun-1.4.5'].map((runtime) => {
      const [target, over] = ['changed', 'top'].map((name) => ({ name: `${name}@${runtime}` }));
      return { target, over, comparison };
    });
    expect(rows).toMatchObject(expected);
  });

  test('variants that are also built on what they are variants of are shown once, as overheads', () => {
    const standing = makeTarget('changed', { over: 'top', variantOf: 'top' });
    const record = recordOf([...STACK, standing]);
    expect(variantsOf(record)).toBeNull();
    expect(summariesOf(record).overheads?.rows).toHaveLength(3);
  });
});
