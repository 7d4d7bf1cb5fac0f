import { describe, expect, test } from 'vitest';
import { floorCellOf } from '../../src/figures/figures.ts';
import { pointOf } from '../../src/math/statistics.ts';
import type { RunRecord } from '../../src/record/record.ts';
import { summarizeConditions } from '../../src/summary/conditions.ts';
import { summarizeLimits } from '../../src/summary/limits.ts';
import { type Limited, makeLimitedRecord } from '../support/make-limited-record.ts';
import { makeRecord } from '../support/make-record.ts';

const tablesOf = (record: RunRecord) => summarizeLimits(record, summarizeConditions(record));

function tableOf(limited: Limited) {
  const [table, ...others] = tablesOf(makeLimitedRecord(limited));
  if (table === undefined || others.length > 0) throw new Error('there is not one load');
  return table;
}

describe('CPU limits', () => {
  test('have a row for each target, limit and topology, with how often it was reached', () => {
    const { rows } = tableOf({ limits: [0.25, 0.5], p99Ms: () => 10 });
    expect(
      rows.map(({ target, limit, topology, held }) => [target.name, limit, topology.id, held]),
    ).toEqual(
      [0.25, 0.5].flatMap((limit) => {
        return ['single', '2'].map((id) => {
          const isHeld = limit === 0.25;
          const held = { periodsShare: isHeld ? 0.5 : 0, timeShare: isHeld ? 0.2 : 0 };
          return [`app@cpu-${limit}`, limit, id, held];
        });
      }),
    );
  });

  test('are not told of where nothing has one', () => {
    const record = makeRecord({}, () => ({ ok: 1000 }));
    expect(tablesOf(record)).toEqual([]);
  });

  test('want the fewest threads where more are shown to be worse', () => {
    const { settings } = tableOf({ limits: [0.25], p99Ms: (threads) => 10 * threads });
    expect(settings).toMatchObject([
      { limit: 0.25, base: { id: 'single' }, wants: { id: 'single' } },
    ]);
    const [first] = settings[0]?.others[0]?.readings ?? [];
    expect(first?.name).toBe('p99');
    expect(first?.comparison.verdict).toBe('slower');
    expect(pointOf(first?.comparison.ratio ?? { kind: 'none' })).toBeCloseTo(2, 1);
  });

  test('want more threads where these are shown to be better, and the fewest where it is the same', () => {
    const wanted = (p99Ms: Limited['p99Ms']) => {
      return tableOf({ limits: [0.25], p99Ms }).settings[0]?.wants?.id;
    };
    expect(wanted((threads) => 10 / threads)).toBe('2');
    expect(wanted(() => 10)).toBe('single');
  });

  test('want nothing that can be told where launches contradict each other', () => {
    const p99Ms: Limited['p99Ms'] = (threads, launch) =>
      (threads === 1 ? 10 : [2, 10, 50][launch]) ?? 0;
    expect(tableOf({ limits: [0.25], p99Ms }).settings[0]?.wants).toBeNull();
  });

  test.each([
    ['some of the time', (launch: number) => (launch === 1 ? 100 : 0)],
    ['all of the time', () => 100],
  ])('are not met by fewer late answers where a server dropped requests %s', (_, inLaunch) => {
    const { settings } = tableOf({
      limits: [0.25],
      // What two threads do answer comes in half the time.
      p99Ms: (threads) => 10 / threads,
      dropped: (threads, launch) => (threads === 1 ? 0 : inLaunch(launch)),
    });
    const readings = settings[0]?.others[0]?.readings ?? [];
    expect(readings.map(({ comparison }) => comparison.verdict)).not.toContain('faster');
    expect(readings).toHaveLength(2);
    expect(settings[0]?.wants?.id).not.toBe('2');
  });

  test('under a closed load are compared by requests/s, and tell nothing of the claim', () => {
    const closed = { suite: 'closed' as const, limits: [0.25], p99Ms: () => 10 };
    const { settings, claim } = tableOf(closed);
    expect(settings[0]?.others[0]?.readings.map(({ name }) => name)).toEqual(['throughput']);
    expect(claim).toBeNull();
  });
});

describe('the published claim', () => {
  test.each([
    ['is met by worse p95 and p99', (threads: number) => 10 * threads, { worse: 1, notWorse: 0 }],
    ['is not by the same ones', () => 10, { worse: 0, notWorse: 1 }],
    ['is not by better ones', (threads: number) => 10 / threads, { worse: 0, notWorse: 1 }],
  ] as const)('%s', (_, p99Ms, outcome) => {
    expect(tableOf({ limits: [0.25], p99Ms }).claim).toEqual({ compared: 1, ...outcome });
  });

  test('is about more threads than the limit can use, and about threads alone', () => {
    expect(tableOf({ limits: [2], p99Ms: () => 10 }).claim).toBeNull();
    const processes = { limits: [0.25], p99Ms: () => 10, scale: { by: 'processes' as const } };
    expect(tableOf(processes).claim).toBeNull();
  });
});

test('the floor of a limited target is the one under the same limit', () => {
  const record = makeLimitedRecord({ limits: [0.25, 0.5], p99Ms: () => 10, withFloor: true });
  expect(record.plan.cells).not.toEqual([]);
  for (const cell of record.plan.cells) {
    expect(floorCellOf(record, cell)?.target).toBe(`floor@${cell.target.split('@')[1]}`);
  }
});
