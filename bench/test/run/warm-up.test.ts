import { expect, test } from 'vitest';
import type { Batch, BatchWindow } from '../../src/load/protocol.ts';
import type { WarmupBatch } from '../../src/record/record.ts';
import { hasSettled, nextBatch, warmUp } from '../../src/run/warm-up.ts';

/** A batch, by its CPU time per answer, µs, and its memory, MB. */
type Parts = Partial<Pick<WarmupBatch, 'answers' | 'asked' | 'ns'>> & { us?: number; mb?: number };

/** A batch at 10,000 answers/s. */
function batch({ us = 50, mb = 80, answers = 1500, ...rest }: Parts = {}): WarmupBatch {
  const { asked = answers, ns = answers * 1e5 } = rest;
  return { asked, answers, ns, cpuNs: answers * us * 1000, bytes: mb * 1e6 };
}

/** Batches of fewer requests, and one that ended by the clock: they are not compared. */
const PILOTS = [batch({ us: 900, mb: 40, asked: null }), batch({ us: 400, mb: 50, answers: 700 })];
const many = (count: number, parts: Parts = {}) => {
  return Array.from({ length: count }, () => batch(parts));
};
const costing = (...costs: number[]) => costs.map((us) => batch({ us }));
const longCosting = (...costs: number[]) => costs.map((us) => batch({ us, ns: 4e9 }));
const trend = (share: number) => Array.from({ length: 6 }, (_, index) => 50 * share ** index);
const FEWER = many(6, { us: 9000, answers: 300 });
const COOLING = costing(300, 200, 100, 80, 70, 60);
const BY_CHANCE = [834, 821, 574, 486, 444, 398, 472, 303, 470, 303, 482];

test.each<[boolean, string, WarmupBatch[]]>([
  [true, 'once six batches of the same size are alike', many(6)],
  [true, 'whatever batches of fewer requests cost', [...FEWER, ...many(6)]],
  [true, 'however costly earlier batches were', [...COOLING, ...many(6)]],
  [true, 'even if noise adds to some batches', costing(50, 95, 50, 50, 70, 300)],
  [true, 'even if the first was the costliest', costing(120, 50, 61, 55, 51, 90)],
  [true, 'even if a batch holds only three answers', many(6, { answers: 3, us: 50_000 })],
  [true, 'five batches after a step in memory', [...many(6), ...many(5, { mb: 95 })]],
  [true, 'with a trend of 1 %', costing(...trend(0.99))],
  [true, 'if the last six look alike by chance', costing(...BY_CHANCE.slice(-6))],
  [true, 'while its median hardly falls', costing(54, 52, 55, 50, 51, 50)],
  [true, 'after four that took a second each', many(4, { ns: 1e9 })],
  [false, 'after three of those', many(3, { ns: 1e9 })],
  [true, 'even if these become costlier', longCosting(308, 332, 331, 368)],
  [false, 'if these become cheaper', longCosting(409, 380, 356, 385)],
  [false, 'before there are six of the same size', [...FEWER, ...many(5)]],
  [false, 'while a cold start is in its last batches', COOLING],
  [false, 'while a cold start wears off', costing(400, 250, 160, 120, 95, 80, 70, 62, 57)],
  [false, 'four batches after a step in memory', [...many(6), ...many(4, { mb: 95 })]],
  [true, 'after memory was collected', [...many(3, { mb: 100 }), ...many(3, { mb: 90 })]],
  [false, 'while memory grows', [...many(3, { mb: 90 }), ...many(3, { mb: 95 })]],
  [false, 'while its cost falls by 2 % a batch', costing(...trend(0.98))],
  [false, 'while its cost rises by 2 % a batch', costing(...trend(0.98).toReversed())],
  [false, 'if the last six look alike, after many that did not', costing(...BY_CHANCE)],
  [false, 'while its median falls, but not its minimum', costing(60, 52, 61, 50, 51, 50)],
  [false, 'if it answers nothing', many(6, { answers: 0 })],
])('a server has settled (%s) %s', (settled, _, batches) => {
  expect(hasSettled([...PILOTS, ...batches])).toBe(settled);
  expect(hasSettled([])).toBe(false);
});

test('the first batch ends by the clock, and no later than the time is up', () => {
  expect(nextBatch([], 3e9, 1)).toEqual({ ns: 1e8, answers: null });
  expect(nextBatch([], 4e7, 1)).toEqual({ ns: 4e7, answers: null });
});

const FIRST = { asked: null, ns: 1e8 };
const LONG = { answers: 3, ns: 9e8 };

test.each<[string, Parts, number, number, number]>([
  ['is 0.12 s at the pace of the first', { ...FIRST, answers: 1000 }, 2e9, 1, 1200],
  ['keeps its size if the last took about as long', { answers: 1200, ns: 8e7 }, 1e9, 1, 1200],
  ['is larger if the server is much faster now', { answers: 1200, ns: 6e7 }, 1e9, 1, 2400],
  ['has three answers of a slow server', { ...FIRST, answers: 1 }, 2e9, 1, 3],
  ['has three if none came yet', { ...FIRST, answers: 0 }, 2e9, 1, 3],
  ['is a whole round if there is time for four long ones', LONG, 13e9, 10, 10],
  ['is no whole round if there is none', LONG, 11e9, 10, 3],
  ['is none if there is no time for six short ones', { answers: 3, ns: 2.7e8 }, 5e9, 10, 3],
  ['is some whole rounds of a quick server', { ...FIRST, answers: 1234 }, 2e9, 10, 1490],
  ['is no whole round if no answer came yet', { ...FIRST, answers: 0 }, 20e9, 10, 3],
])('the next batch %s', (_, last, leftNs, round, answers) => {
  expect(nextBatch([batch(last)], leftNs, round)).toEqual({ ns: leftNs, answers });
});

const NEVER = new AbortController().signal;
const CAP_NS = 3e9;
const QUICK = 10_000;
const SLOW = 10;

/** A server of so many answers/s that needs so much CPU time in each batch, and the batches it was asked for. */
function serverAt(perS: number, us: (batch: number) => number = () => 50) {
  const windows: BatchWindow[] = [];
  const takeBatch = async ({ ns, answers }: BatchWindow): Promise<Batch> => {
    const inTime = Math.floor((ns / 1e9) * perS);
    const came = Math.min(answers ?? inTime, inTime);
    const tookNs = answers !== null && came === answers ? (came / perS) * 1e9 : ns;
    const cpuNs = came * us(windows.length) * 1000;
    windows.push({ ns, answers });
    return { answers: came, ns: tookNs, cpuNs, bytes: 80e6 };
  };
  return { windows, takeBatch };
}

/** How that server is warmed up; no batch takes longer than the time that is left. */
async function warmed(
  { takeBatch, windows }: ReturnType<typeof serverAt>,
  { capNs = CAP_NS, round = 1, soon = NEVER } = {},
) {
  const warmup = await warmUp({ capNs, round }, takeBatch, soon);
  let leftNs = capNs;
  for (const [index, { ns }] of (warmup?.batches ?? []).entries()) {
    expect(windows[index]?.ns).toBeLessThanOrEqual(leftNs + 1);
    leftNs -= ns;
  }
  if (warmup !== null) expect(warmup.ns).toBeCloseTo(capNs - leftNs, 0);
  return warmup;
}

test.each([
  ['a quick server', QUICK, 3e9, 1, [null, ...Array(6).fill(1200)], 'settled'],
  ['a slow one, in batches of three answers', SLOW, 9e9, 1, [null, ...Array(6).fill(3)], 'settled'],
  ['a slow one, in whole rounds', SLOW, 9e9, 10, [null, ...Array(4).fill(10)], 'settled'],
  ['a slow one, as far as time allows', SLOW, 1e9, 1, [null, 3, 3, 3], 'capped'],
])('a warm-up continues until the server has settled or the time is up: %s', async (...given) => {
  const [, perS, capNs, round, answers, outcome] = given;
  const server = serverAt(perS);
  expect(await warmed(server, { capNs, round })).toMatchObject({ outcome });
  expect(server.windows.map((window) => window.answers)).toEqual(answers);
});

test('a warm-up takes longer if the server does, and reports each batch', async () => {
  const server = serverAt(QUICK, (batch) => 50 * 2 ** Math.max(0, 8 - batch));
  const warmup = await warmed(server);
  expect(warmup).toMatchObject({ outcome: 'settled' });
  const [first, second, ...others] = warmup?.batches ?? [];
  expect(others.length).toBeGreaterThan(7);
  const pilot = { asked: null, answers: 1000, ns: 1e8, bytes: 80e6 };
  expect(first).toEqual({ ...pilot, cpuNs: 1000 * 50_000 * 2 ** 8 });
  const sized = { asked: 1200, answers: 1200, ns: 1.2e8, bytes: 80e6 };
  expect(second).toEqual({ ...sized, cpuNs: 1200 * 50_000 * 2 ** 7 });
});

test('a server that is lost meanwhile has no warm-up', async () => {
  const { windows, takeBatch } = serverAt(QUICK);
  const dying = async (window: BatchWindow) =>
    windows.length < 3 ? await takeBatch(window) : null;
  expect(await warmUp({ capNs: CAP_NS, round: 1 }, dying, NEVER)).toBeNull();
  expect(windows).toHaveLength(3);
});

test('no batch begins if the run is to end soon', async () => {
  const over = new AbortController();
  const server = serverAt(QUICK, (batch) => {
    if (batch === 3) over.abort();
    return 50;
  });
  for (let again = 0; again < 2; again++) {
    expect(await warmed(server, { soon: over.signal })).toBeNull();
    expect(server.windows).toHaveLength(4);
  }
});
