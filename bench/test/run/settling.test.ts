import { describe, expect, test } from 'vitest';
import type { WarmupBatch } from '../../src/record/record.ts';
import { hasSettled, nextBatch } from '../../src/run/settling.ts';

/** What a batch was: CPU for each answer, µs, and memory, MB. */
interface Parts {
  us?: number;
  mb?: number;
  answers?: number;
  asked?: number | null;
  ns?: number;
}

/** A batch at 10,000 answers/s. */
function batch({ us = 50, mb = 80, answers = 1500, ...rest }: Parts = {}): WarmupBatch {
  const { asked = answers, ns = answers * 1e5 } = rest;
  return { asked, answers, ns, cpuNs: answers * us * 1000, bytes: mb * 1e6 };
}

/** By the clock, and of fewer requests than those after it: they count for nothing. */
const PILOTS = [batch({ us: 900, mb: 40, asked: null }), batch({ us: 400, mb: 50, answers: 700 })];
/** So many equal batches. */
const many = (count: number, parts: Parts = {}) =>
  Array.from({ length: count }, () => batch(parts));
const costing = (...costs: number[]) => costs.map((us) => batch({ us }));
const after = (share: number) => Array.from({ length: 6 }, (_, index) => 50 * share ** index);
const FEWER = many(6, { us: 9000, answers: 300 });
const COOLING = costing(300, 200, 100, 80, 70, 60);
const BY_CHANCE = [834, 821, 574, 486, 444, 398, 472, 303, 470, 303, 482];

describe('a server has settled', () => {
  test.each<[string, WarmupBatch[]]>([
    ['once six batches of as many requests are alike', many(6)],
    ['whatever batches of fewer requests cost', [...FEWER, ...many(6)]],
    ['however dear those before were', [...COOLING, ...many(6)]],
    ['even where noise adds to some batches', costing(50, 95, 50, 50, 70, 300)],
    ['even where the first was the dearest', costing(120, 50, 61, 55, 51, 90)],
    ['even where a batch holds three answers only', many(6, { answers: 3, us: 50_000 })],
    ['five batches after a step in memory', [...many(6), ...many(5, { mb: 95 })]],
    ['with a trend of 1 %', costing(...after(0.99))],
    ['where the last six seem alike by chance', costing(...BY_CHANCE.slice(-6))],
    ['while its median hardly falls', costing(54, 52, 55, 50, 51, 50)],
  ])('%s', (_, batches) => {
    expect(hasSettled([...PILOTS, ...batches])).toBe(true);
  });
});

describe('a server has not settled', () => {
  test.each<[string, WarmupBatch[]]>([
    ['before there are six batches', many(5)],
    ['before there are six of as many requests', [...FEWER, ...many(5)]],
    ['while a cold start is in its last batches', COOLING],
    ['while a cold start wears off', costing(400, 250, 160, 120, 95, 80, 70, 62, 57)],
    ['right after a step in memory', [...many(6), ...many(1, { mb: 95 })]],
    ['four batches after a step in memory', [...many(6), ...many(4, { mb: 95 })]],
    ['while memory falls', [...many(3, { mb: 100 }), ...many(3, { mb: 90 })]],
    ['while its cost falls by 2 % a batch', costing(...after(0.98))],
    ['while its cost rises by 2 % a batch', costing(...after(0.98).toReversed())],
    ['where the last six seem alike, after many that were not', costing(...BY_CHANCE)],
    ['while its median falls, even if the smallest does not', costing(60, 52, 61, 50, 51, 50)],
    ['where it answers nothing', many(6, { answers: 0 })],
  ])('%s', (_, batches) => {
    expect(hasSettled([...PILOTS, ...batches])).toBe(false);
  });

  test('before its first batch', () => {
    expect(hasSettled([])).toBe(false);
  });
});

test.each<[string, Parts | null, number, number, number | null]>([
  ['ends by the clock where nobody knows how fast the server is', null, 3e9, 1e8, null],
  ['ends no later than the time is up', null, 4e7, 4e7, null],
  ['is 0.12 s at the pace of the first', { answers: 1000, asked: null }, 2e9, 2e9, 1200],
  [
    'is as large as the last, if that took about as long',
    { answers: 1200, ns: 8e7 },
    1e9,
    1e9,
    1200,
  ],
  ['is larger where the server is much faster now', { answers: 1200, ns: 6e7 }, 1e9, 1e9, 2400],
  ['has three answers of a slow server', { answers: 1, asked: null, ns: 1e8 }, 2e9, 2e9, 3],
  ['has three where none came yet', { answers: 0, asked: null, ns: 1e8 }, 2e9, 2e9, 3],
])('the next batch %s', (_, last, leftNs, ns, answers) => {
  expect(nextBatch(last === null ? [] : [batch(last)], leftNs)).toEqual({ ns, answers });
});
