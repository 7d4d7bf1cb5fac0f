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

  test('starts elsewhere for each connection, and goes on when the same load comes again', () => {
    const cursors = new RequestCursors();
    const requests = Array(4).fill({ weight: 1 });
    const load = { origin: 'http://a', requests, connections: 2 };
    expect(cursors.of(load).map((cursor) => cursor.next())).toEqual([0, 2]);
    for (const cursor of cursors.of({ ...load, origin: 'http://b' })) steps(cursor, 2);
    expect(cursors.of(load).map((cursor) => cursor.next())).toEqual([1, 3]);
    expect([cursors.ofOne(load).next(), cursors.ofOne(load).next()]).toEqual([0, 1]);
  });
});
