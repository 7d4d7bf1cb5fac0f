import { describe, expect, test } from 'vitest';
import type { Batch } from '../../src/record/record.ts';
import { hasSettled, nextBatch } from '../../src/run/settling.ts';

/** A batch at 10,000 answers/s, of a server that takes so much CPU for each and so much memory. */
function batch({ us = 50, mb = 80, answers = 1500 } = {}): Batch {
  return { answers, ns: answers * 1e5, cpuNs: answers * us * 1000, bytes: mb * 1e6 };
}

/** So many equal batches after the first two, which count for nothing. */
const PILOTS = [batch({ us: 900, mb: 40 }), batch({ us: 400, mb: 50 })];
const many = (count: number, parts: Parameters<typeof batch>[0] = {}) => {
  return Array.from({ length: count }, () => batch(parts));
};
/** These costs, batch by batch, after the first two. */
const costing = (...costs: number[]) => [...PILOTS, ...costs.map((us) => batch({ us }))];

describe('a server has settled', () => {
  test('once six batches after the first two are alike, and not before', () => {
    expect(hasSettled([])).toBe(false);
    expect(hasSettled([...PILOTS, ...many(5)])).toBe(false);
    expect(hasSettled([...PILOTS, ...many(6)])).toBe(true);
  });

  test('whatever the first two cost', () => {
    expect(hasSettled([batch({ us: 9 }), batch({ us: 9000 }), ...many(6)])).toBe(true);
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

  test('after a step in memory, until it has been the same for long enough', () => {
    const step = [...PILOTS, ...many(6, { mb: 80 })];
    expect(hasSettled([...step, ...many(1, { mb: 95 })])).toBe(false);
    expect(hasSettled([...step, ...many(4, { mb: 95 })])).toBe(false);
    expect(hasSettled([...step, ...many(6, { mb: 95 })])).toBe(true);
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

  test('where it answers nothing, or uses no CPU', () => {
    expect(hasSettled([...PILOTS, ...many(6, { answers: 0 })])).toBe(false);
  });
});

describe('the next batch', () => {
  test('ends by the clock as long as nobody knows how fast the server is', () => {
    expect(nextBatch([], 3e9)).toEqual({ ns: 1e8, answers: null });
    expect(nextBatch(many(1), 3e9)).toEqual({ ns: 1e8, answers: null });
    expect(nextBatch([], 4e7)).toEqual({ ns: 4e7, answers: null });
  });

  test('has as many answers as fit into 0.15 s at the pace of the second', () => {
    const [, pace] = [batch({ answers: 3 }), batch({ answers: 800 })];
    expect(nextBatch([...many(1), pace], 2e9)).toEqual({ ns: 2e9, answers: 1500 });
  });

  test('has as many answers as any other, whatever those between took', () => {
    const { answers } = nextBatch(PILOTS, 2e9);
    const later = [...PILOTS, ...many(4, { answers: 700 })];
    expect(nextBatch(later, 1e9)).toEqual({ ns: 1e9, answers });
  });

  test('has three answers at least, of a server that is slow or has not answered yet', () => {
    for (const answers of [0, 1]) {
      const slow = { ...batch(), answers, ns: 1e8 };
      expect(nextBatch([slow, slow], 2e9)).toEqual({ ns: 2e9, answers: 3 });
    }
  });
});
