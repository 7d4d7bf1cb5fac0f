import { describe, expect, test } from 'vitest';
import { figuresOf, floorCellOf, slicesOf } from '../../src/figures/figures.ts';
import { pointOf } from '../../src/math/statistics.ts';
import { cellOf } from '../../src/plan/plan.ts';
import type { RunRecord } from '../../src/record/record.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { summarizeOverheads, summarizeVariants } from '../../src/summary/comparisons.ts';
import { summarizeConditions } from '../../src/summary/conditions.ts';
import { runtimesOf, summarizeRuntimes } from '../../src/summary/runtimes.ts';
import { onRuntimes } from '../../src/targets/copies.ts';
import { makeRecord, makeTarget, STACK, type Story } from '../support/make-record.ts';
import { BUN, NEW, OLD } from '../support/make-runtimes.ts';

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

const TARGETS = onRuntimes(STACK, [NEW, OLD, BUN]);

function recordOf(
  targets = TARGETS,
  { failures = [], ...options }: Partial<RunOptions> & Partial<Pick<RunRecord, 'failures'>> = {},
): RunRecord {
  const load = { connections: 100, pipelining: 10, launches: 3, durationS: 6 };
  return makeRecord({ targets, options: { ...load, ...options }, failures }, story);
}

const tableOf = (record: RunRecord) => summarizeRuntimes(record, summarizeConditions(record));

describe('the table of runtimes', () => {
  test('has every target on every runtime, each over itself on the first one', () => {
    const { rows, base } = tableOf(recordOf()) ?? {};
    expect(base).toMatchObject({ kind: 'node', version: '24.1.0' });
    const told = rows?.map(({ target, comparison }) => {
      const ratio = comparison && pointOf(comparison.ratio);
      return [target.name, ratio === null ? null : Number(ratio?.toFixed(6)), comparison?.verdict];
    });
    expect(told).toEqual(
      ['floor', 'middle', 'top'].flatMap((name) => [
        [`${name}@node-24.1.0`, null, undefined],
        [`${name}@node-22.1.0`, 2, 'slower'],
        [`${name}@bun-1.4.5`, 0.5, 'faster'],
      ]),
    );
  });

  test('has a row without comparison for a target that a runtime fails on', () => {
    const failure = { when: 'start' as const, message: 'no', logTail: [], died: true };
    const server = 'top@bun-1.4.5/single';
    const failures = [0, 1, 2].map((launch) => ({ server, launch, ...failure }));
    const { rows = [] } = tableOf(recordOf(TARGETS, { failures })) ?? {};
    const failed = rows.filter(({ summary }) => summary.outcome.state === 'failed');
    expect(failed).toMatchObject([{ target: { name: 'top@bun-1.4.5' }, comparison: null }]);
    expect(rows.filter(({ comparison }) => comparison !== null)).toHaveLength(5);
  });

  test('is there only where there are several runtimes', () => {
    const [one, none] = [recordOf(onRuntimes(STACK, [BUN])), recordOf(STACK)];
    expect([one, none].map(tableOf)).toEqual([null, null]);
    expect(runtimesOf(one).map(({ kind }) => kind)).toEqual(['bun']);
    expect(runtimesOf(none)).toEqual([]);
  });

  test('says which runtimes no process manager keeps, where one keeps others', () => {
    const kinds = (...topologies: RunOptions['topologies']) => {
      return tableOf(recordOf(TARGETS, { topologies }))?.unkept.map(({ kind }) => kind);
    };
    expect(kinds('single', 2)).toEqual(['bun']);
    expect(kinds('single')).toEqual([]);
  });
});

describe('within a runtime', () => {
  test('the floor is the one on the same runtime', () => {
    const record = recordOf();
    for (const cell of record.plan.cells) {
      expect(floorCellOf(record, cell)?.target).toBe(`floor@${cell.target.split('@')[1]}`);
    }
    const top = cellOf(record.plan, 'top@bun-1.4.5/single/cost');
    const { timesFloor } = figuresOf(record, top, slicesOf(record, top));
    expect(pointOf(timesFloor)).toBeCloseTo(3, 6);
  });

  test('overheads are those over what a target is built on there', () => {
    const record = recordOf();
    const { rows = [] } = summarizeOverheads(record, summarizeConditions(record)) ?? {};
    expect(rows).toHaveLength(6);
    for (const { target, over } of rows) expect(target.runtime).toEqual(over.runtime);
  });

  test('variants are held against what they are variants of', () => {
    const changed = makeTarget('changed', { over: 'floor', variantOf: 'top' });
    const record = recordOf(onRuntimes([...STACK, changed], [NEW, BUN]));
    const { rows = [] } = summarizeVariants(record, summarizeConditions(record)) ?? {};
    const comparison = { ratio: { value: expect.closeTo(2 / 3, 6) }, verdict: 'faster' };
    expect(rows).toMatchObject(
      ['node-24.1.0', 'bun-1.4.5'].map((runtime) => {
        const [target, over] = ['changed', 'top'].map((name) => ({ name: `${name}@${runtime}` }));
        return { target, over, comparison };
      }),
    );
  });

  test('variants that stand over what they are variants of are told of once, as overheads', () => {
    const standing = makeTarget('changed', { over: 'top', variantOf: 'top' });
    const record = recordOf([...STACK, standing]);
    const conditions = summarizeConditions(record);
    expect(summarizeVariants(record, conditions)).toBeNull();
    expect(summarizeOverheads(record, conditions)?.rows).toHaveLength(3);
  });
});
