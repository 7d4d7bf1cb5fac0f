import { describe, expect, test } from 'vitest';
import { answersIn, isSteady, settledFrom } from '../../src/load/settling.ts';

type Turns = Parameters<typeof isSteady>[0];

/** Turns of so many answers each, at these CPU times a request, µs. */
function turns(us: number[], answers = 1000): Turns {
  return us.map((each) => ({ answers, cpuNs: each * 1000 * answers }));
}

/** So many turns that cost the same. */
function many(count: number, us = 50): number[] {
  return Array.from({ length: count }, () => us);
}

const SPAN = 8;

test('a server has settled after sixteen blocks that cost the same, and not before', () => {
  expect(isSteady([], SPAN)).toBe(false);
  expect(isSteady(turns(many(15)), SPAN)).toBe(false);
  expect(isSteady(turns(many(16)), SPAN)).toBe(true);
});

test('the requests of turns add up', () => {
  expect(answersIn([])).toBe(0);
  expect(answersIn(turns(many(16), 749))).toBe(11_984);
});

test('a server has not settled while the last eight blocks are cheaper than the eight before', () => {
  expect(isSteady(turns([...many(8, 100), ...many(8, 97.9)]), SPAN)).toBe(false);
  expect(isSteady(turns([...many(8, 100), ...many(8, 98.1)]), SPAN)).toBe(true);
  expect(isSteady(turns([...many(8, 100), ...many(8, 140)]), SPAN)).toBe(true);
});

test('what the blocks before those cost is over', () => {
  expect(isSteady(turns([...many(20, 500), ...many(15)]), SPAN)).toBe(false);
  expect(isSteady(turns([...many(20, 500), ...many(16)]), SPAN)).toBe(true);
});

test('a server that becomes cheaper by and by settles once eight blocks take off less than 2 %', () => {
  // Each takes a tenth off what is above 50 µs.
  const cost = (block: number) => 50 + 50 * 0.9 ** block;
  const first = Array.from({ length: 60 }, (_, block) => block + 1).find((count) => {
    return isSteady(turns(Array.from({ length: count }, (_, block) => cost(block))), SPAN);
  });
  // The mean of the last eight is 50 + a, of those before 50 + a / 0.9^8, where a = 50 × 0.712 × 0.9^(count - 8):
  // 2 % apart at a = 0.772, and so after count = 8 + ln(0.772 / 35.6) / ln 0.9 = 44.4 blocks.
  expect(first).toBe(45);
});

test('a server whose blocks are now dearer and now cheaper has settled', () => {
  const noise = Array.from({ length: 16 }, (_, block) => (block % 2 === 0 ? 45 : 55));
  expect(isSteady(turns(noise), SPAN)).toBe(true);
  // One disturbed block among the first eight: 8 × 50 against 7 × 50 + 54.
  const disturbed = [54, ...many(15)];
  expect(isSteady(turns(disturbed), SPAN)).toBe(true);
});

test('blocks count by their answers', () => {
  // 7,000 requests at 100 µs and 90 at 10 µs are 98.9 µs a request, and with 1,000 at 10 µs 88.75 µs.
  const short = turns(many(1, 10), 90);
  const last = [...turns(many(7, 100)), ...short];
  expect(isSteady([...turns(many(8, 100)), ...last], SPAN)).toBe(true);
  const long = turns(many(1, 10), 1000);
  expect(isSteady([...turns(many(8, 100)), ...turns(many(7, 100)), ...long], SPAN)).toBe(false);
});

describe('the turn from which on a server had settled', () => {
  test('is the first where its turns cost alike, or are too few to tell', () => {
    expect(settledFrom([])).toBe(0);
    expect(settledFrom(turns(many(30)))).toBe(0);
    expect(settledFrom(turns([...many(10, 100), ...many(10)]))).toBe(0);
  });

  test('comes after dearer ones at the start', () => {
    // From place 7 on four of seven are settled ones: the three before them are dear still.
    expect(settledFrom(turns([...many(10, 100), ...many(30)]))).toBe(10);
    expect(settledFrom(turns([...many(10, 53), ...many(30)]))).toBe(10);
    expect(settledFrom(turns([...many(10, 52), ...many(30)]))).toBe(0);
  });

  test('is the first where something is dear later, or seldom', () => {
    expect(settledFrom(turns([...many(15), ...many(7, 100), ...many(18)]))).toBe(0);
    expect(settledFrom(turns([200, ...many(39)]))).toBe(0);
    const seldom = Array.from({ length: 40 }, (_, turn) => (turn % 5 === 0 ? 150 : 50));
    expect(settledFrom(turns(seldom))).toBe(0);
  });
});
