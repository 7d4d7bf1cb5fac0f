import { describe, expect, test } from 'vitest';
import { type Counts, survival } from '../../src/math/survival.ts';

/** Each time once. */
const each = (...times: number[]): Counts => times.map((time) => [time, 1]);

/** The share that takes longer, after each event's time. */
function curve(events: Counts, censored: Counts): [number, number][] {
  let beyond = 1;
  return survival(events, censored).steps.map(({ time, share }) => {
    beyond -= share;
    return [time, Number(beyond.toFixed(4))];
  });
}

test('the leukaemia trial of Freireich and others comes out as in the textbooks', () => {
  // Weeks of remission under 6-mercaptopurine; as in Kalbfleisch & Prentice, table 1.3.
  const events: Counts = [...each(7, 10, 13, 16, 22, 23), [6, 3]];
  const censored: Counts = [...each(6, 9, 10, 11, 17, 19, 20, 25, 34, 35), [32, 2]];
  expect(curve(events, censored)).toEqual([
    [6, 0.8571],
    [7, 0.8067],
    [10, 0.7529],
    [13, 0.6902],
    [16, 0.6275],
    [22, 0.5378],
    [23, 0.4482],
  ]);
  const { quantile, beyond } = survival(events, censored);
  expect(quantile(0.5)).toBe(23);
  expect(quantile(0.25)).toBe(13);
  expect(quantile(0.6)).toBeNull();
  expect(beyond).toBeCloseTo(0.4482, 4);
});

describe('without anything censored', () => {
  const { quantile, beyond, steps } = survival(
    Array.from({ length: 1000 }, (_, index) => [index + 1, 1]),
    [],
  );

  test('a quantile is the one of that rank', () => {
    for (let rank = 1; rank <= 1000; rank++) expect(quantile(rank / 1000)).toBe(rank);
    expect(quantile(0.0255)).toBe(26);
    expect(quantile(0)).toBe(1);
  });

  test('nothing is beyond, and all have the same share', () => {
    expect(beyond).toBe(0);
    for (const { share } of steps) expect(share).toBeCloseTo(0.001, 12);
  });
});

test('a count stands for so many of the same time', () => {
  const many = survival([[2, 3], ...each(4)], [[1, 2], ...each(3)]);
  const single = survival(each(2, 2, 2, 4), each(1, 1, 3));
  // Three of the five that are still observed end at 2.
  expect(many.quantile(0.6)).toBe(2);
  expect(many.quantile(0.61)).toBe(4);
  for (const share of [0.1, 0.5, 0.6, 0.61, 1]) {
    expect(single.quantile(share)).toBe(many.quantile(share));
  }
});

test('what is only censored tells of no quantile', () => {
  const { quantile, beyond, steps } = survival([], each(1, 2, 3));
  expect(steps).toEqual([]);
  expect(beyond).toBe(1);
  expect(quantile(0.01)).toBeNull();
});

test('what is censored when another ends was still observed then', () => {
  // Half of two end at 1, and the other is not seen any longer.
  expect(curve(each(1), each(1))).toEqual([[1, 0.5]]);
  expect(survival(each(1), each(1)).quantile(0.5)).toBe(1);
  expect(survival(each(1), each(1)).quantile(0.51)).toBeNull();
  // Censored just before it, it leaves one of one.
  expect(survival(each(1), each(0.9)).quantile(1)).toBe(1);
});

test('the same time in several places is one time', () => {
  const apart = survival([...each(1), ...each(1), ...each(2)], each(1, 3));
  const together = survival([[1, 2], ...each(2)], each(1, 3));
  for (const share of [0.1, 0.4, 0.5, 0.7, 0.8]) {
    expect(apart.quantile(share)).toBe(together.quantile(share));
  }
  expect(apart.beyond).toBeCloseTo(together.beyond, 12);
});

test('what is censored early says nothing of the late: the rest takes its share', () => {
  // 90 of 100 are lost sight of at once; of the ten others, half end at 5 and half at 50.
  const { quantile } = survival(
    [
      [5, 5],
      [50, 5],
    ],
    [[0, 90]],
  );
  expect(quantile(0.5)).toBe(5);
  expect(quantile(0.51)).toBe(50);
  expect(quantile(1)).toBe(50);
});

test('the order in which times are given does not matter', () => {
  const events = each(5, 1, 3, 2);
  const censored = each(4, 2);
  const forwards = survival(events, censored);
  const backwards = survival(events.toReversed(), censored.toReversed());
  expect(backwards.steps).toEqual(forwards.steps);
});

test('shares of millions add up', () => {
  const events: Counts = Array.from({ length: 20_000 }, (_, index) => [index + 1, 5000]);
  const { quantile, steps } = survival(events, []);
  expect(steps.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 10);
  for (const rank of [1, 500, 10_000, 19_800, 20_000]) {
    expect(quantile(rank / 20_000)).toBe(rank);
    expect(quantile((rank - 0.999) / 20_000)).toBe(rank);
  }
});
