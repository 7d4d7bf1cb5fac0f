import { describe, expect, test } from 'vitest';
import { CPU, hadSettled, latencyQuantile, samples, slicesOf } from '../../src/figures/figures.ts';
import { cellOf, loadOf } from '../../src/plan/plan.ts';
import type { Failure, RunRecord, Warmup } from '../../src/record/record.ts';
import { type Happened, makeRecord, type Story } from '../support/make-record.ts';

const COST = 'top/single/cost';
/** Of several slices a launch. */
const PUBLISHED = 'top/single/published';

/** Launches of three rounds. */
function recordOf(story: Story, launches = 1, parts: Partial<RunRecord> = {}): RunRecord {
  const options = { launches, durationS: 3 * launches };
  const { failures = [], warmups = [] } = parts;
  return makeRecord({ options, failures, warmups }, story);
}

/** CPU per request in each launch of a cell, µs. */
function cpuUs(record: RunRecord, id = COST): number[] {
  const slices = slicesOf(record, cellOf(record.plan, id));
  return samples(slices, CPU).map(({ value }) => value / 1000);
}

/** The same of one launch in whose only slice this happened. */
const cpuUsOf = (happened: Happened) => cpuUs(recordOf(() => happened));

describe('CPU per request', () => {
  test('is the sum of all blocks over all answers, not a mean of their quotients', () => {
    const blocks = [
      { cpuNs: 1e6, answers: 100 },
      { cpuNs: 1e6, answers: 50 },
      { cpuNs: 7e6, answers: 150 },
    ];
    expect(cpuUsOf({ ok: 300, blocks })).toEqual([30]);
  });

  test('has what a server does after its turns in it', () => {
    const blocks = [
      { cpuNs: 1e6, answers: 100, chargedNs: 1.2e6 },
      { cpuNs: 1e6, answers: 100, chargedNs: 1.6e6 },
    ];
    expect(cpuUsOf({ ok: 200, blocks })).toEqual([14]);
  });

  test('is of all slices of a launch together, and of each launch by itself', () => {
    // 100 of 10 µs, 200 of 20 and 300 of 30; in the next launch twice as dear.
    const record = recordOf((_cell, launch, round) => {
      return { ok: 100 * (round + 1), cpuUsPerResponse: 10 * (round + 1) * (launch + 1) };
    }, 2);
    const [first = 0, second = 0] = cpuUs(record, PUBLISHED);
    expect(first).toBeCloseTo(14_000 / 600, 9);
    expect(second).toBeCloseTo(28_000 / 600, 9);
  });

  test('is without what the server uses while nobody asks for anything', () => {
    // Each in half a second: 5 ms of 10 ms in a second, so 1 + 3 ms are the requests' own.
    const blocks = [
      { cpuNs: 5e6, answers: 100, chargedNs: 6e6, ns: 5e8 },
      { cpuNs: 6e6, answers: 100, chargedNs: 8e6, ns: 5e8 },
    ];
    expect(cpuUsOf({ ok: 200, blocks, idleNsPerS: 10e6 })).toEqual([20]);
  });

  test('takes idle use off for as long as each block is charged', () => {
    const blocks = [{ cpuNs: 5e6, answers: 100, chargedNs: 6e6, ns: 1e8 }];
    expect(cpuUsOf({ ok: 100, blocks, idleNsPerS: 10e6 })).toEqual([50]);
  });

  test('has nothing of disturbed blocks in it, neither time nor answers', () => {
    const blocks = [
      { cpuNs: 1e6, answers: 100 },
      { cpuNs: 9e6, answers: 70, chargedNs: 20e6 },
      { cpuNs: 2e6, answers: 100 },
    ];
    const happened = { ok: 270, blocks };
    expect(cpuUsOf({ ...happened, disturbed: [1] })).toEqual([15]);
    expect(cpuUsOf({ ...happened, disturbed: [0, 1] })).toEqual([20]);
  });

  test('counts answers that were wrong: they cost too', () => {
    expect(cpuUsOf({ ok: 60, wrongStatus: 20, wrongBody: 20, cpuUsPerResponse: 7 })).toEqual([7]);
  });

  test('is not known where nobody knows the processes of the server, in any slice', () => {
    const story = (unknown: number[]): Story => {
      return (_cell, _launch, round) => {
        return { ok: 100, ...(unknown.includes(round) ? { workersCpuMs: [] } : {}) };
      };
    };
    expect(cpuUs(recordOf(story([]), 1), PUBLISHED)).toEqual([10]);
    expect(cpuUs(recordOf(story([1]), 1), PUBLISHED)).toEqual([]);
    expect(cpuUs(recordOf(story([0, 1, 2]), 2), PUBLISHED)).toEqual([]);
  });

  test('is not known where nothing was answered', () => {
    expect(cpuUsOf({ ok: 0 })).toEqual([]);
  });
});

/** The launches in which a cell has slices that count, each as often as it has slices. */
function launchesOf(record: RunRecord, id = COST): number[] {
  return slicesOf(record, cellOf(record.plan, id)).map(({ launch }) => launch);
}

function failureOf(server: string, launch: number): Failure {
  return { server, launch, when: 'slice', message: '', logTail: [], died: true };
}

describe('a quantile of the latency in each launch', () => {
  const p99 = (happened: (launch: number) => Happened) => {
    const record = recordOf((_cell, launch) => happened(launch), 3);
    const slices = slicesOf(record, cellOf(record.plan, COST));
    const load = loadOf(record.plan, cellOf(record.plan, COST).load);
    const figure = latencyQuantile('p99', load);
    const found = samples(slices, figure);
    return {
      ms: found.map(({ value }) => value / 1e6),
      isBound: figure.isBound?.(slices),
    };
  };

  test('is what it is above, and not left out, where requests went unanswered', () => {
    const lost = { disconnected: 50, lostAgesMs: [800] };
    const { ms, ...rest } = p99((launch) => {
      return { ok: 50, latenciesMs: [20], ...(launch === 1 ? lost : {}) };
    });
    expect(ms.map(Math.round)).toEqual([20, 800, 20]);
    expect(rest.isBound).toBe(true);
  });

  test('is above 0 in a launch that dropped all of them', () => {
    const { ms, ...rest } = p99((launch) => {
      return launch === 1 ? { pace: { dropped: 50 } } : { ok: 50, latenciesMs: [20] };
    });
    expect(ms.map(Math.round)).toEqual([20, 0, 20]);
    expect(rest.isBound).toBe(true);
  });

  test('is known where all were answered', () => {
    expect(p99(() => ({ ok: 50, latenciesMs: [20] })).isBound).toBe(false);
  });
});

describe('the slices of a cell', () => {
  test('are those of the cell alone', () => {
    const record = recordOf(() => ({ ok: 1 }), 2);
    expect(launchesOf(record)).toEqual([0, 1]);
    expect(launchesOf(record, PUBLISHED)).toEqual([0, 0, 0, 1, 1, 1]);
    const cells = slicesOf(record, cellOf(record.plan, COST)).map(({ cell }) => cell);
    expect(new Set(cells)).toEqual(new Set([COST]));
  });

  test('are none of a launch in which its server failed, under whatever load', () => {
    const failures = [failureOf('top/single', 1)];
    const record = recordOf(() => ({ ok: 1 }), 4, { failures });
    expect(launchesOf(record)).toEqual([0, 2, 3]);
    expect(launchesOf(record, PUBLISHED)).toEqual([0, 0, 0, 2, 2, 2, 3, 3, 3]);
    expect(launchesOf(record, 'floor/single/cost')).toEqual([0, 1, 2, 3]);
  });

  test('are none where it failed in every launch', () => {
    const failures = [failureOf('top/single', 0), failureOf('top/single', 1)];
    expect(launchesOf(recordOf(() => ({ ok: 1 }), 2, { failures }))).toEqual([]);
  });

  /** The server had settled in these of five launches. */
  const settledIn = (settled: number[], failures: Failure[] = []) => {
    const story: Story = (_cell, launch) => ({ ok: 1, hasSettled: settled.includes(launch) });
    return launchesOf(recordOf(story, 5, { failures }));
  };

  test('are none of a launch in which it had not settled, where there are three others', () => {
    expect(settledIn([0, 2, 4])).toEqual([0, 2, 4]);
    expect(settledIn([0, 1, 2, 4])).toEqual([0, 1, 2, 4]);
  });

  test('are those of all launches where it had settled in fewer', () => {
    expect(settledIn([0, 4])).toEqual([0, 1, 2, 3, 4]);
    expect(settledIn([])).toEqual([0, 1, 2, 3, 4]);
  });

  test('are not of a launch in which it failed, whether it had settled or not', () => {
    const failures = [failureOf('top/single', 4)];
    // Two are left that had settled: too few to do without the others.
    expect(settledIn([0, 1, 4], failures)).toEqual([0, 1, 2, 3]);
    expect(settledIn([0, 1, 2, 4], failures)).toEqual([0, 1, 2]);
  });
});

describe('a server had settled', () => {
  const warmup = (launch: number, outcome: Warmup['outcome']): Warmup => {
    return { server: 'top/single', launch, batches: [], ns: 1e9, outcome };
  };
  /** Whether it had in the first launch, or in each of them. */
  const settled = (hasSettled: boolean | null, warmups: Warmup[] = [], launches = 1) => {
    const record = recordOf(() => ({ ok: 1, hasSettled }), launches, { warmups });
    const cell = cellOf(record.plan, COST);
    return slicesOf(record, cell).map((slice) => hadSettled(record, cell, slice));
  };

  test('where the blocks before the slice say so, whatever the warm-up was', () => {
    expect(settled(true, [warmup(0, 'capped')])).toEqual([true]);
    expect(settled(false, [warmup(0, 'settled')])).toEqual([false]);
  });

  test('where there were none, unless its warm-up took too long', () => {
    expect(settled(null, [warmup(0, 'settled'), warmup(1, 'capped')], 2)).toEqual([true, false]);
  });

  test('where nobody looked', () => {
    expect(settled(null)).toEqual([true]);
    const others = { ...warmup(0, 'capped'), server: 'floor/single' };
    expect(settled(null, [others])).toEqual([true]);
  });
});
