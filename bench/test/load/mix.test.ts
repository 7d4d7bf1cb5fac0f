import { describe, expect, test } from 'vitest';
import { mixOf, Walk, Walks } from '../../src/load/mix.ts';

describe('the order of a mix', () => {
  test.each([
    { weights: [1], mix: [0] },
    { weights: [7], mix: [0] },
    { weights: [1, 1], mix: [0, 1] },
    { weights: [3, 1], mix: [0, 0, 1, 0] },
    { weights: [30, 10], mix: [0, 0, 1, 0] },
    { weights: [5, 1, 1], mix: [0, 0, 1, 0, 2, 0, 0] },
  ])('of weights $weights is even', ({ weights, mix }) => {
    expect(mixOf(weights)).toEqual(mix);
  });

  test('has each request as often as its weight says', () => {
    const weights = [40, 25, 3, 31, 1];
    const mix = mixOf(weights);
    expect(weights.map((_, place) => mix.filter((each) => each === place).length)).toEqual(weights);
  });
});

describe('a walk', () => {
  const steps = (walk: Walk, count: number) => Array.from({ length: count }, () => walk.next());

  test('tells one round of what is ahead, and stays where it is', () => {
    const walk = new Walk([4, 5, 6], 1);
    expect(walk.ahead()).toEqual([5, 6, 4]);
    expect(steps(walk, 3)).toEqual([5, 6, 4]);
  });

  test('goes round and round from its start', () => {
    expect(steps(new Walk([4, 5, 6], 2), 5)).toEqual([6, 4, 5, 6, 4]);
  });

  test('goes back by what is to come again', () => {
    const walk = new Walk([4, 5, 6], 0);
    steps(walk, 4);
    walk.back(5);
    expect(steps(walk, 3)).toEqual([6, 4, 5]);
  });

  test('starts elsewhere for each connection, spread over the mix', () => {
    const requests = [{ weight: 1 }, { weight: 1 }, { weight: 2 }];
    const load = { origin: 'http://a', requests, connections: 8 };
    const mix = mixOf([1, 1, 2]);
    const starts = new Walks().of(load).map((walk) => walk.next());
    expect(starts).toEqual([0, 0, 1, 1, 2, 2, 3, 3].map((at) => mix[at]));
  });

  test('goes on when the same load comes again, whatever others do', () => {
    const walks = new Walks();
    const requests = [{ weight: 1 }, { weight: 1 }, { weight: 1 }];
    const load = { origin: 'http://a', requests, connections: 2 };
    for (const walk of walks.of(load)) walk.next();
    for (const walk of walks.of({ ...load, origin: 'http://b' })) steps(walk, 2);
    expect(walks.of(load).map((walk) => walk.next())).toEqual([1, 2]);
    expect(walks.ofOne(load).next()).toBe(0);
    expect(walks.ofOne(load).next()).toBe(1);
  });
});
