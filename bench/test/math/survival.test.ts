import { expect, test } from 'vitest';
import { type Counts, survival } from '../../src/math/survival.ts';

const each = (...times: number[]): Counts => times.map((time) => [time, 1]);

/** The share that takes longer, after the time of each event. */
function curve(events: Counts, censored: Counts): [number, number][] {
  let beyond = 1;
  return survival(events, censored).steps.map(({ time, share }) => {
    beyond -= share;
    return [time, Number(beyond.toFixed(4))];
  });
}

function quantiles(events: Counts, censored: Counts, ...shares: number[]) {
  return shares.map(survival(events, censored).quantile);
}

test('the leukaemia trial of Freireich and others is as in the textbooks', () => {
  // Weeks of remission under 6-mercaptopurine; as in Kalbfleisch & Prentice, table 1.3.
  const events: Counts = [...each(7, 10, 13, 16, 22, 23), [6, 3]];
  const censored: Counts = [...each(6, 9, 10, 11, 17, 19, 20, 25, 34, 35), [32, 2]];
  const shares = [0.8571, 0.8067, 0.7529, 0.6902, 0.6275, 0.5378, 0.4482];
  const times = [6, 7, 10, 13, 16, 22, 23];
  expect(curve(events, censored)).toEqual(times.map((time, place) => [time, shares[place]]));
  expect(quantiles(events, censored, 0.5, 0.25, 0.6)).toEqual([23, 13, null]);
  expect(survival(events, censored).beyond).toBeCloseTo(0.4482, 4);
});

test('without censoring a quantile is that of its rank, in any order, and nothing is beyond', () => {
  const ranks = Array.from({ length: 1000 }, (_, index) => index + 1);
  for (const times of [ranks, ranks.toReversed()]) {
    const { quantile, beyond, steps } = survival(each(...times), []);
    expect(ranks.map((rank) => quantile(rank / 1000))).toEqual(ranks);
    expect([quantile(0.0255), quantile(0), beyond]).toEqual([26, 1, 0]);
    for (const { share } of steps) expect(share).toBeCloseTo(0.001, 12);
  }
});

test('censored times alone have no quantile', () => {
  const { quantile, beyond, steps } = survival([], each(1, 2, 3));
  expect({ steps, beyond, least: quantile(0.01) }).toEqual({ steps: [], beyond: 1, least: null });
});

test('what is censored when another ends was still observed then', () => {
  // Half of two end at 1, and the other is no longer observed.
  expect(curve(each(1), each(1))).toEqual([[1, 0.5]]);
  expect(quantiles(each(1), each(1), 0.5, 0.51)).toEqual([1, null]);
  // Censored just before it, it leaves one of one.
  expect(quantiles(each(1), each(0.9), 1)).toEqual([1]);
});

test('early censoring says nothing of the late: the rest takes its share', () => {
  // 90 of 100 are lost at once; of the ten others, half end at 5 and half at 50.
  const events: Counts = [...each(5, 5, 5, 5, 5), [50, 5]];
  expect(quantiles(events, [[0, 90]], 0.5, 0.51, 1)).toEqual([5, 50, 50]);
});

test('shares of millions add up', () => {
  const events: Counts = Array.from({ length: 20_000 }, (_, index) => [index + 1, 5000]);
  const { quantile, steps } = survival(events, []);
  expect(steps.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 10);
  const ranks = [1, 500, 10_000, 19_800, 20_000];
  expect(ranks.map((rank) => quantile(rank / 20_000))).toEqual(ranks);
  expect(ranks.map((rank) => quantile((rank - 0.999) / 20_000))).toEqual(ranks);
});
