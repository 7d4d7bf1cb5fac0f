import { describe, expect, test } from 'vitest';
import type { WarmupBatch } from '../../src/record/record.ts';
import { hasSettled, nextBatch } from '../../src/run/settling.ts';

/** A batch at 10,000 answers/s, of a server that takes so much CPU for each and so much memory. */
function batch({
  us = 50,
  mb = 80,
  answers = 1500,
  asked = answers,
}: {
  us?: number;
  mb?: number;
  answers?: number;
  asked?: number | null;
} = {}): WarmupBatch {
  return { asked, answers, ns: answers * 1e5, cpuNs: answers * us * 1000, bytes: mb * 1e6 };
}

/** By the clock, and of fewer requests than those after it: they count for nothing. */
const PILOTS = [batch({ us: 900, mb: 40, asked: null }), batch({ us: 400, mb: 50, answers: 700 })];
/** So many equal batches. */
const many = (count: number, parts: Parameters<typeof batch>[0] = {}) => {
  return Array.from({ length: count }, () => batch(parts));
};
/** These costs, batch by batch, after the first two. */
const costing = (...costs: number[]) => [...PILOTS, ...costs.map((us) => batch({ us }))];

describe('a server has settled', () => {
  test('once six batches of as many requests are alike, and not before', () => {
    expect(hasSettled([])).toBe(false);
    expect(hasSettled([...PILOTS, ...many(5)])).toBe(false);
    expect(hasSettled([...PILOTS, ...many(6)])).toBe(true);
  });

  test('whatever batches of fewer requests cost', () => {
    const fewer = many(6, { us: 9000, answers: 300 });
    expect(hasSettled([...fewer, ...many(5)])).toBe(false);
    expect(hasSettled([...fewer, ...many(6)])).toBe(true);
  });

  test('once the last batches are alike, however dear those before were', () => {
    expect(hasSettled(costing(300, 200, 100, 80, 70, 60))).toBe(false);
    expect(hasSettled([...costing(300, 200, 100, 80, 70, 60), ...many(6)])).toBe(true);
  });

  test('even where noise adds to some of the batches', () => {
    expect(hasSettled(costing(50, 95, 50, 50, 70, 300))).toBe(true);
    expect(hasSettled(costing(120, 50, 61, 55, 51, 90))).toBe(true);
  });

  test('even where a batch holds three answers only', () => {
    const slow = { answers: 3, us: 50_000 };
    expect(hasSettled([...PILOTS, ...many(6, slow)])).toBe(true);
  });
});

describe('a server has not settled', () => {
  test('while a cold start is still in its cost', () => {
    const cold = [400, 250, 160, 120, 95, 80, 70, 62, 57, 54];
    for (let count = 1; count <= 9; count++) {
      expect(hasSettled(costing(...cold.slice(0, count)))).toBe(false);
    }
  });

  test('after a step in memory, until it has been the same for five batches', () => {
    const step = [...PILOTS, ...many(6, { mb: 80 })];
    for (const count of [1, 2, 3, 4]) {
      expect(hasSettled([...step, ...many(count, { mb: 95 })])).toBe(false);
    }
    expect(hasSettled([...step, ...many(5, { mb: 95 })])).toBe(true);
  });

  test('while memory falls, too', () => {
    const fall = [...many(3, { mb: 100 }), ...many(3, { mb: 90 })];
    expect(hasSettled([...PILOTS, ...fall])).toBe(false);
  });

  test('while its cost has a trend, up or down, that a batch beside the next hardly shows', () => {
    const falling = Array.from({ length: 6 }, (_, index) => 50 * 0.98 ** index);
    expect(hasSettled(costing(...falling))).toBe(false);
    expect(hasSettled(costing(...falling.toReversed()))).toBe(false);
    const slow = Array.from({ length: 6 }, (_, index) => 50 * 0.99 ** index);
    expect(hasSettled(costing(...slow))).toBe(true);
  });

  test('where the last six seem alike by chance, after many that were not', () => {
    const costs = [834, 821, 574, 486, 444, 398, 472, 303, 470, 303, 482];
    expect(hasSettled(costing(...costs.slice(-6)))).toBe(true);
    expect(hasSettled(costing(...costs))).toBe(false);
  });

  test('while its median falls, even if the smallest does not', () => {
    expect(hasSettled(costing(60, 52, 61, 50, 51, 50))).toBe(false);
    expect(hasSettled(costing(54, 52, 55, 50, 51, 50))).toBe(true);
  });

  test('where it answers nothing, or uses no CPU', () => {
    expect(hasSettled([...PILOTS, ...many(6, { answers: 0 })])).toBe(false);
  });
});

describe('the next batch', () => {
  test('ends by the clock as long as nobody knows how fast the server is', () => {
    expect(nextBatch([], 3e9)).toEqual({ ns: 1e8, answers: null });
    expect(nextBatch([], 4e7)).toEqual({ ns: 4e7, answers: null });
  });

  test('has as many answers as fit into 0.12 s at the pace of the first', () => {
    const pilot = batch({ answers: 1000, asked: null });
    expect(nextBatch([pilot], 2e9)).toEqual({ ns: 2e9, answers: 1200 });
  });

  test('has as many answers as the last, as long as that took about as long', () => {
    const last = { ...batch({ answers: 1200 }), ns: 0.08e9 };
    expect(nextBatch([last], 1e9)).toEqual({ ns: 1e9, answers: 1200 });
  });

  test('has more where the server has become much faster', () => {
    const last = { ...batch({ answers: 1200 }), ns: 0.06e9 };
    expect(nextBatch([last], 1e9)).toEqual({ ns: 1e9, answers: 2400 });
  });

  test('has three answers at least, of a server that is slow or has not answered yet', () => {
    for (const answers of [0, 1]) {
      const slow = { ...batch(), answers, asked: null, ns: 1e8 };
      expect(nextBatch([slow], 2e9)).toEqual({ ns: 2e9, answers: 3 });
    }
  });
});
