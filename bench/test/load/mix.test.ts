import { describe, expect, test } from 'vitest';
import { mixOf, RequestCursor, RequestCursors } from '../../src/load/mix.ts';

test.each([
  { weights: [1], mix: '0' },
  { weights: [7], mix: '0' },
  { weights: [1, 1], mix: '01' },
  { weights: [30, 10], mix: '0010' },
  { weights: [5, 1, 1], mix: '0010200' },
])('the order of a mix of weights $weights is even', ({ weights, mix }) => {
  expect(mixOf(weights).join('')).toBe(mix);
});

test('a mix has each request as often as its weight says', () => {
  const weights = [40, 25, 3, 31, 1];
  const mix = mixOf(weights);
  expect(weights.map((_, place) => mix.filter((each) => each === place).length)).toEqual(weights);
});

describe('a cursor', () => {
  const steps = (cursor: RequestCursor, count: number) =>
    Array.from({ length: count }, () => cursor.next());

  test('goes round and round from its start, and tells one round of what is ahead', () => {
    const cursor = new RequestCursor([4, 5, 6], 2);
    expect(cursor.ahead()).toEqual([6, 4, 5]);
    expect(steps(cursor, 5)).toEqual([6, 4, 5, 6, 4]);
  });

  test('goes back by what is sent again', () => {
    const cursor = new RequestCursor([4, 5, 6], 0);
    steps(cursor, 4);
    cursor.back(5);
    expect(steps(cursor, 3)).toEqual([6, 4, 5]);
  });

  test('starts elsewhere for each connection, spread over the mix', () => {
    const requests = [{ weight: 1 }, { weight: 1 }, { weight: 2 }];
    const load = { origin: 'http://a', requests, connections: 8 };
    const mix = mixOf([1, 1, 2]);
    const starts = new RequestCursors().of(load).map((cursor) => cursor.next());
    expect(starts).toEqual([0, 0, 1, 1, 2, 2, 3, 3].map((at) => mix[at]));
  });

  test('goes on when the same load comes again, whatever others do', () => {
    const cursors = new RequestCursors();
    const requests = [{ weight: 1 }, { weight: 1 }, { weight: 1 }];
    const load = { origin: 'http://a', requests, connections: 2 };
    for (const cursor of cursors.of(load)) cursor.next();
    for (const cursor of cursors.of({ ...load, origin: 'http://b' })) steps(cursor, 2);
    expect(cursors.of(load).map((cursor) => cursor.next())).toEqual([1, 2]);
    expect([cursors.ofOne(load).next(), cursors.ofOne(load).next()]).toEqual([0, 1]);
  });
});
