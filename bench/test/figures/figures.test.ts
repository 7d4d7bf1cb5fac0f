import { describe, expect, test } from 'vitest';
import { CPU, hadSettled, latencyQuantile, samples, slicesOf } from '../../src/figures/figures.ts';
import { cellOf, loadOf } from '../../src/plan/plan.ts';
import type { RunRecord, Warmup } from '../../src/record/record.ts';
import { failuresOf } from '../support/failures.ts';
import { type Happened, makeRecord, type Story } from '../support/make-record.ts';

const COST = 'top/single/cost';
/** Of several slices a launch. */
const PUBLISHED = 'top/single/published';

function recordOf(story: Story, launches = 1, parts: Partial<RunRecord> = {}): RunRecord {
  const options = { launches, durationS: 3 * launches };
  const { failures = [], warmups = [] } = parts;
  return makeRecord({ options, failures, warmups }, story);
}

const slicesIn = (record: RunRecord, id = COST) => slicesOf(record, cellOf(record.plan, id));

/** CPU per request in each launch of a cell, µs. */
function cpuUs(record: RunRecord, id = COST): number[] {
  return samples(slicesIn(record, id), CPU).map(({ value }) => value / 1000);
}

describe('CPU per request', () => {
  // The same in all, and half of it left without idle use: 5 ms of 10 ms in a second each.
  const idle = [6e6, 8e6].map((chargedNs) => ({ cpuNs: 5e6, answers: 100, chargedNs, ns: 5e8 }));
  const short = [{ cpuNs: 5e6, answers: 100, chargedNs: 6e6, ns: 1e8 }];
  const uneven = [
    { cpuNs: 1e6, answers: 100 },
    { cpuNs: 1e6, answers: 50 },
    { cpuNs: 7e6, answers: 150 },
  ];
  const later = [1.2e6, 1.6e6].map((chargedNs) => ({ cpuNs: 1e6, answers: 100, chargedNs }));
  test.each<[string, Happened, us: number[]]>([
    ['is the sum of all blocks over all answers', { ok: 300, blocks: uneven }, [30]],
    ['includes what a server does after its turns', { ok: 200, blocks: later }, [14]],
    ['is without idle use', { ok: 200, blocks: idle, idleNsPerS: 10e6 }, [20]],
    ['goes by the time of each block', { ok: 100, blocks: short, idleNsPerS: 1e7 }, [50]],
    ['counts wrong answers', { ok: 60, wrongStatus: 20, wrongBody: 20, cpuUsPerResponse: 7 }, [7]],
    ['is unknown without answers', { ok: 0 }, []],
  ])('%s', (_, happened, us) => {
    expect(cpuUs(recordOf(() => happened))).toEqual(us);
  });

  test('is that of all slices of a launch together, for each launch', () => {
    // 100 of 10 µs, 200 of 20 and 300 of 30; in the next launch twice as expensive.
    const record = recordOf((_cell, launch, round) => {
      return { ok: 100 * (round + 1), cpuUsPerResponse: 10 * (round + 1) * (launch + 1) };
    }, 2);
    const expected = [14_000 / 600, 28_000 / 600].map((us) => expect.closeTo(us, 9));
    expect(cpuUs(record, PUBLISHED)).toEqual(expected);
  });

  test('is unknown if the processes of the server are unknown in any slice', () => {
    const usWithout = (...unknown: number[]) => {
      const record = recordOf((_cell, _launch, round) => {
        return { ok: 100, ...(unknown.includes(round) ? { workersCpuMs: [] } : {}) };
      });
      return cpuUs(record, PUBLISHED);
    };
    expect([usWithout(), usWithout(1), usWithout(0, 1, 2)]).toEqual([[10], [], []]);
  });
});

const LOST: Happened = { disconnected: 50, lostAgesMs: [800] };
const DROPPED: Happened = { ok: 0, latenciesMs: [], pace: { dropped: 50 } };
test.each<[string, Happened, ms: number, isBound: boolean]>([
  ['is known if all were answered', {}, 20, false],
  ['is a lower bound, and not left out, if some were not', LOST, 800, true],
  ['is above 0 in a launch that dropped all of them', DROPPED, 0, true],
])('a quantile of the latency in each launch %s', (_, second, ms, isBound) => {
  const usual = { ok: 50, latenciesMs: [20] };
  const record = recordOf((_cell, launch) => ({ ...usual, ...(launch === 1 ? second : {}) }), 3);
  const slices = slicesIn(record);
  const figure = latencyQuantile('p99', record);
  const found = samples(slices, figure).map(({ value }) => Math.round(value / 1e6));
  expect([found, figure.isBound?.(slices)]).toEqual([[20, ms, 20], isBound]);
});

test('a quantile of the latency goes by the time-out of its own load', () => {
  const record = recordOf(() => ({ ok: 50, latenciesMs: [20], ...LOST }), 1);
  loadOf(record.plan, 'cost').timeoutNs = 0.5e9;
  const figure = latencyQuantile('p99', record);
  const found = [COST, PUBLISHED].map((id) => {
    return samples(slicesIn(record, id), figure).map(({ value }) => Math.round(value / 1e6));
  });
  expect(found).toEqual([[500], [800]]);
});

/** The launches in which a cell has slices that count, each as often as it has slices. */
const launchesOf = (record: RunRecord, id = COST) => {
  return slicesIn(record, id).map(({ launch }) => launch);
};

test('the slices of a cell are those of the cell alone, but for launches in which its server failed, under any load', () => {
  const failures = failuresOf('top/single', [1]);
  const record = recordOf(() => ({ ok: 1 }), 4, { failures });
  expect(launchesOf(record)).toEqual([0, 2, 3]);
  expect(launchesOf(record, PUBLISHED)).toEqual([0, 0, 0, 2, 2, 2, 3, 3, 3]);
  expect(launchesOf(record, 'floor/single/cost')).toEqual([0, 1, 2, 3]);
  expect(new Set(slicesIn(record).map(({ cell }) => cell))).toEqual(new Set([COST]));
  const all = { failures: failuresOf('top/single', [0, 1]) };
  expect(launchesOf(recordOf(() => ({ ok: 1 }), 2, all))).toEqual([]);
});

test.each([
  { settled: [0, 2, 4], counted: [0, 2, 4] },
  { settled: [0, 1, 2, 4], counted: [0, 1, 2, 4] },
  { settled: [0, 4], counted: [0, 1, 2, 3, 4] },
  { settled: [], counted: [0, 1, 2, 3, 4] },
  // Two are left that had settled: too few without the others.
  { settled: [0, 1, 4], failed: [4], counted: [0, 1, 2, 3] },
  { settled: [0, 1, 2, 4], failed: [4], counted: [0, 1, 2] },
])('of five launches, of which $settled had settled and $failed failed: $counted', (given) => {
  const { settled, failed = [], counted } = given;
  const story: Story = (_cell, launch) => ({ ok: 1, hasSettled: settled.includes(launch) });
  const failures = failuresOf('top/single', failed);
  expect(launchesOf(recordOf(story, 5, { failures }))).toEqual(counted);
});

const warmup = (outcome: Warmup['outcome'], launch = 0): Warmup => {
  return { server: 'top/single', launch, batches: [], ns: 1e9, outcome };
};
test.each<[string, boolean | null, Warmup[], settled: boolean[]]>([
  ['if the blocks before the slice say so', true, [warmup('capped')], [true]],
  ['not if they do not', false, [warmup('settled')], [false]],
  ['by its warm-up, if there were none', null, [warmup('settled')], [true]],
  ['not if that took too long', null, [warmup('settled'), warmup('capped', 1)], [true, false]],
  ['if neither was looked at', null, [], [true]],
  ['whatever others did', null, [{ ...warmup('capped'), server: 'floor/single' }], [true]],
])('a server had settled %s', (_, hasSettled, warmups, settled) => {
  const record = recordOf(() => ({ ok: 1, hasSettled }), settled.length, { warmups });
  const cell = cellOf(record.plan, COST);
  expect(slicesIn(record).map((slice) => hadSettled(record, cell, slice))).toEqual(settled);
});

test('a server had settled by the warm-up of its own group, where several start it', () => {
  const warmups = [warmup('capped'), warmup('settled')];
  const record = recordOf(() => ({ ok: 1, hasSettled: null }), 1, { warmups });
  const { plan } = record;
  const groupOf = (...cells: string[]) => ({ cells, idle: [], unverified: [], rounds: [] });
  plan.launches = [[groupOf('floor/single/cost'), groupOf(PUBLISHED), groupOf(COST)]];
  const settled = () => {
    return [PUBLISHED, COST].map((id) => {
      return slicesIn(record, id).map((slice) => hadSettled(record, cellOf(plan, id), slice));
    });
  };
  expect(settled()).toEqual([[false, false, false], [true]]);
  // The third has none.
  plan.launches = [[groupOf(PUBLISHED), groupOf(COST), groupOf('top/single/low')]];
  expect(settled()).toEqual([[false, false, false], [false]]);
});
