import { describe, expect, test } from 'vitest';
import { figuresOf, floorCellOf, slicesOf } from '../../src/figures/figures.ts';
import { pointOf } from '../../src/math/statistics.ts';
import { cellOf } from '../../src/plan/plan.ts';
import type { RunRecord } from '../../src/record/record.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { runtimesOf, summarizeRuntimes, summarizeVariants } from '../../src/summary/comparisons.ts';
import { perRuntime } from '../../src/targets/copies.ts';
import { failuresOf } from '../support/failures.ts';
import { makeRecord, makeTarget, STACK, type Story } from '../support/make-record.ts';
import { BUN, NEW, OLD } from '../support/make-runtimes.ts';
import { summariesOf, summaryOf } from '../support/summaries.ts';

/** On the old Node a request takes twice, on Bun half of what it takes on the new one. */
const TIMES: Record<string, number> = { '22.1.0': 2, '24.1.0': 1, '1.4.5': 0.5 };
const COSTS: Record<string, number> = { floor: 10, middle: 15, top: 30 };

/** On a machine a tenth slower in every other launch. */
const story: Story = ({ target }, launch) => {
  const [name = '', runtime = ''] = target.split('@');
  const version = runtime.replace(/^.*-/, '');
  const pace = 1 + 0.1 * (launch % 2);
  return { ok: 1000, cpuUsPerResponse: (COSTS[name] ?? 20) * (TIMES[version] ?? 1) * pace };
};

const TARGETS = perRuntime(STACK, [NEW, OLD, BUN]);

function recordOf(
  targets = TARGETS,
  { failures = [], ...options }: Partial<RunOptions> & Partial<Pick<RunRecord, 'failures'>> = {},
): RunRecord {
  const load = { connections: 100, pipelining: 10, launches: 3, durationS: 6 };
  return makeRecord({ targets, options: { ...load, ...options }, failures }, story);
}

const USUAL = recordOf();
const tableOf = (record: RunRecord) => summarizeRuntimes(record, summaryOf(record).conditions);
const variantsOf = (record: RunRecord) => summarizeVariants(record, summaryOf(record).conditions);

describe('the table of runtimes', () => {
  test('has every target on every runtime, each over itself on the first one', () => {
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

  test('has a row without comparison for a target that a runtime fails on', () => {
    const failures = failuresOf('top@bun-1.4.5/single');
    const { rows = [] } = tableOf(recordOf(TARGETS, { failures })) ?? {};
    const failed = rows.filter(({ summary }) => summary.outcome.state === 'failed');
    expect(failed).toMatchObject([{ target: { name: 'top@bun-1.4.5' }, comparison: null }]);
    expect(rows.filter(({ comparison }) => comparison !== null)).toHaveLength(5);
  });

  test('is there only if there are several runtimes', () => {
    const [one, none] = [recordOf(perRuntime(STACK, [BUN])), recordOf(STACK)];
    expect([one, none].map(tableOf)).toEqual([null, null]);
    expect([one, none].map((record) => runtimesOf(record).map(({ kind }) => kind))).toEqual([
      ['bun'],
      [],
    ]);
  });

  test('has the runtimes that no process manager keeps, if one keeps others', () => {
    const { unkept } = tableOf(recordOf(TARGETS, { topologies: ['single', 2] })) ?? {};
    expect(unkept?.map(({ kind }) => kind)).toEqual(['bun']);
    expect(tableOf(recordOf(TARGETS, { topologies: ['single'] }))?.unkept).toEqual([]);
  });
});

describe('within a runtime', () => {
  test('the floor is the one on the same runtime', () => {
    for (const cell of USUAL.plan.cells) {
      expect(floorCellOf(USUAL, cell)?.target).toBe(`floor@${cell.target.split('@')[1]}`);
    }
    const top = cellOf(USUAL.plan, 'top@bun-1.4.5/single/cost');
    const { timesFloor } = figuresOf(USUAL, top, slicesOf(USUAL, top));
    expect(pointOf(timesFloor)).toBeCloseTo(3, 6);
  });

  test('overheads are those over what a target is built on there', () => {
    const { rows = [] } = summariesOf(USUAL).overheads ?? {};
    expect(rows).toHaveLength(6);
    for (const { target, over } of rows) expect(target.runtime).toEqual(over.runtime);
  });

  test('variants are compared with what they are variants of', () => {
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
