import { describe, expect, test } from 'vitest';
import type { Failure, RunRecord } from '../../src/record/record.ts';
import type { TopologyName } from '../../src/request/option-values.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { frameworks } from '../../src/suites/frameworks.ts';
import { pm2Tax } from '../../src/suites/pm2-tax.ts';
import type { Suite } from '../../src/suites/suite.ts';
import type { Tax } from '../../src/summary/tax.ts';
import { makeRecord, makeTarget, type Story } from '../support/make-record.ts';
import { summariesOf } from '../support/summaries.ts';

const WAYS: TopologyName[] = ['single', 'fork', 1, 'pmx:1', 'cluster:1'];
const COSTS: Record<string, number> = {
  ...{ single: 10, fork: 10, '1': 10.6, 'pmx:1': 10.9, 'cluster:1': 9 },
};
const TARGETS = [makeTarget('fast'), makeTarget('slow')];

/** µs of each way, on a machine a tenth slower in every other launch; the slow target costs twice as much. */
const story: Story = ({ topology, target }, launch) => {
  const pace = 1 + 0.1 * (launch % 2);
  const cpuUsPerResponse = (COSTS[topology] ?? 0) * pace * (target === 'slow' ? 2 : 1);
  return { ok: 1000, cpuUsPerResponse };
};

function recordOf(
  parts: Partial<RunOptions> = {},
  rest: Partial<Pick<RunRecord, 'failures'>> & { suite?: Suite } = {},
  told: Story = story,
): RunRecord {
  const load = { connections: 100, pipelining: 10, launches: 3, durationS: 6 };
  const options = { topologies: WAYS, ...load, ...parts };
  return makeRecord({ suite: pm2Tax, targets: TARGETS, options, ...rest }, told);
}

function taxesOf(record: RunRecord): Tax[] {
  const { taxes } = summariesOf(record);
  if (taxes === null) throw new Error('the record tells of no tax');
  return taxes;
}

const ids = (rows: Tax['rows'] | undefined) => rows?.map(({ topology }) => topology.id);

describe('the price of a process manager', () => {
  test('is told target by target, way by way', () => {
    const taxes = taxesOf(recordOf());
    expect(taxes.map(({ target }) => target.name)).toEqual(['fast', 'slow']);
    for (const { rows, target } of taxes) {
      expect(ids(rows)).toEqual(['single', 'fork', '1', 'pmx:1', 'cluster:1']);
      for (const { summary } of rows) expect(summary.target).toBe(target);
    }
  });

  test('is more than plain node costs, within launches, as a difference and a ratio', () => {
    const [fast, slow] = taxesOf(recordOf());
    const told = (tax: Tax | undefined) => {
      return tax?.rows.map(
        ({ comparison }) => comparison && [comparison.difference, comparison.ratio],
      );
    };
    const close = (value: number) => expect.objectContaining({ value: expect.closeTo(value, 6) });
    // The difference grows with the pace of the machine, 1, 1.1 and 1 in the launches; the ratio does not.
    const pair = (us: number, ratio: number) => [close((us * 3100) / 3), close(ratio)];
    expect(told(fast)).toEqual([null, pair(0, 1), pair(0.6, 1.06), pair(0.9, 1.09), pair(-1, 0.9)]);
    expect(told(slow)?.[2]).toEqual(pair(1.2, 1.06));
  });

  test('is judged: more CPU is slower', () => {
    const [tax] = taxesOf(recordOf());
    const verdicts = tax?.rows.map(({ comparison }) => comparison?.verdict ?? null);
    expect(verdicts).toEqual([null, 'same', 'slower', 'slower', 'faster']);
  });

  test('has plain node as its base wherever that is named', () => {
    const [tax] = taxesOf(recordOf({ topologies: [1, 'single'] }));
    expect(tax?.rows.map(({ comparison }) => comparison?.verdict ?? null)).toEqual([
      'slower',
      null,
    ]);
  });

  test('is read under the cost load, whatever else is measured', () => {
    const record = recordOf({ connections: 50 }, { suite: frameworks });
    expect(record.plan.loads).toHaveLength(3);
    for (const { rows } of taxesOf(record)) {
      expect(rows.map(({ summary }) => summary.cell.load)).toEqual(['cost']);
    }
  });
});

describe('nothing is compared', () => {
  const failed = (server: string) => {
    return [0, 1, 2].map((launch): Failure => {
      return { server, launch, when: 'start', message: '', logTail: [], died: false };
    });
  };

  test('with a server that failed, which still has a row', () => {
    const [fast, slow] = taxesOf(recordOf({}, { failures: failed('fast/pmx:1') }));
    const row = fast?.rows.find(({ topology }) => topology.id === 'pmx:1');
    expect(row).toMatchObject({ comparison: null, summary: { outcome: { state: 'failed' } } });
    expect(slow?.rows.filter(({ comparison }) => comparison !== null)).toHaveLength(4);
  });

  test('where plain node failed', () => {
    const [fast, slow] = taxesOf(recordOf({}, { failures: failed('fast/single') }));
    expect(fast?.rows.map(({ comparison }) => comparison)).toEqual([null, null, null, null, null]);
    expect(slow?.rows.filter(({ comparison }) => comparison !== null)).toHaveLength(4);
  });

  test('where the run did not get to anything', () => {
    const [fast] = taxesOf(recordOf({}, {}, () => null));
    expect(fast?.rows.map(({ comparison }) => comparison)).toEqual([null, null, null, null, null]);
  });

  test('without a plain process', () => {
    expect(summariesOf(recordOf({ topologies: ['fork', 1] })).taxes).toBeNull();
  });
});
