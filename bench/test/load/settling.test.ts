import { expect, test } from 'vitest';
import { isSettledIn } from '../../src/load/settling.ts';

type Turns = Parameters<typeof isSettledIn>[0];

/** Turns of so many answers each, at these CPU times a request, µs. */
function turns(us: number[], answers = 1000): Turns {
  return us.map((each) => ({ answers, cpuNs: each * 1000 * answers }));
}

/** So many turns that cost the same. */
function many(count: number, us = 50): number[] {
  return Array.from({ length: count }, () => us);
}

const ENOUGH = 12_000;

test('a server has settled after sixteen blocks that cost the same, and not before', () => {
  expect(isSettledIn([], ENOUGH)).toBe(false);
  expect(isSettledIn(turns(many(15)), ENOUGH)).toBe(false);
  expect(isSettledIn(turns(many(16)), ENOUGH)).toBe(true);
});

test('a server has not settled before it has answered so many requests', () => {
  // 16 blocks of 749 hold 11,984.
  expect(isSettledIn(turns(many(16), 749), ENOUGH)).toBe(false);
  expect(isSettledIn(turns(many(16), 750), ENOUGH)).toBe(true);
  expect(isSettledIn(turns(many(17), 749), ENOUGH)).toBe(true);
});

test('a server has not settled while the last eight blocks are cheaper than the eight before', () => {
  expect(isSettledIn(turns([...many(8, 100), ...many(8, 97.9)]), ENOUGH)).toBe(false);
  expect(isSettledIn(turns([...many(8, 100), ...many(8, 98.1)]), ENOUGH)).toBe(true);
  expect(isSettledIn(turns([...many(8, 100), ...many(8, 140)]), ENOUGH)).toBe(true);
});

test('what the blocks before those cost is over', () => {
  expect(isSettledIn(turns([...many(20, 500), ...many(15)]), ENOUGH)).toBe(false);
  expect(isSettledIn(turns([...many(20, 500), ...many(16)]), ENOUGH)).toBe(true);
});

test('a server that becomes cheaper by and by settles once eight blocks take off less than 2 %', () => {
  // Each takes a tenth off what is above 50 µs.
  const cost = (block: number) => 50 + 50 * 0.9 ** block;
  const first = Array.from({ length: 60 }, (_, block) => block + 1).find((count) => {
    return isSettledIn(turns(Array.from({ length: count }, (_, block) => cost(block))), ENOUGH);
  });
  // The mean of the last eight is 50 + a, of those before 50 + a / 0.9^8, where a = 50 × 0.712 × 0.9^(count - 8):
  // 2 % apart at a = 0.772, and so after count = 8 + ln(0.772 / 35.6) / ln 0.9 = 44.4 blocks.
  expect(first).toBe(45);
});

test('a server whose blocks are now dearer and now cheaper has settled', () => {
  const noise = Array.from({ length: 16 }, (_, block) => (block % 2 === 0 ? 45 : 55));
  expect(isSettledIn(turns(noise), ENOUGH)).toBe(true);
  // One disturbed block among the first eight: 8 × 50 against 7 × 50 + 54.
  const disturbed = [54, ...many(15)];
  expect(isSettledIn(turns(disturbed), ENOUGH)).toBe(true);
});

test('blocks count by their answers', () => {
  // 7,000 requests at 100 µs and 90 at 10 µs are 98.9 µs a request, and with 1,000 at 10 µs 88.75 µs.
  const short = turns(many(1, 10), 90);
  const last = [...turns(many(7, 100)), ...short];
  expect(isSettledIn([...turns(many(8, 100)), ...last], ENOUGH)).toBe(true);
  const long = turns(many(1, 10), 1000);
  expect(isSettledIn([...turns(many(8, 100)), ...turns(many(7, 100)), ...long], ENOUGH)).toBe(
    false,
  );
});
