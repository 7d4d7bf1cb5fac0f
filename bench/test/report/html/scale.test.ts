import { describe, expect, test } from 'vitest';
import type { Axis } from '../../../src/report/document.ts';
import { scaleOf } from '../../../src/report/html/scale.ts';

const AXIS: Axis = { label: 'µs', unit: 1000, scale: 'linear', origin: null, ticks: null };
const ROOM = { from: 0, to: 100, count: 5, gap: 10 };

describe('a scale', () => {
  test('goes from the least value to the most, and names values in the unit of the label', () => {
    const { place, ticks } = scaleOf(AXIS, [2000, 12_000], ROOM);
    expect([2000, 7000, 12_000].map(place)).toEqual([0, 50, 100]);
    expect(ticks.map(({ text }) => text)).toEqual(['2', '4', '6', '8', '10', '12']);
    for (const { text, place: at } of ticks) expect(at).toBe(place(Number(text) * 1000));
  });

  test('holds its origin', () => {
    const { place } = scaleOf({ ...AXIS, origin: 0 }, [5000, 10_000], ROOM);
    expect([0, 5000].map(place)).toEqual([0, 50]);
  });

  test('may be logarithmic, and then leaves out what has no logarithm', () => {
    const { place, ticks } = scaleOf({ ...AXIS, scale: 'log' }, [0, 1000, 100_000], ROOM);
    expect([1000, 10_000, 100_000].map(place)).toEqual([0, 50, 100]);
    expect(ticks.map(({ text }) => text)).toContain('10');
  });

  test('names no two values that have no room beside each other, the roundest first', () => {
    const { ticks } = scaleOf({ ...AXIS, scale: 'log' }, [1000, 1e9], { ...ROOM, gap: 14 });
    const places = ticks.map(({ place }) => place);
    expect(
      Math.min(...places.slice(1).map((at, index) => at - (places[index] ?? 0))),
    ).toBeGreaterThanOrEqual(14);
    expect(ticks.map(({ text }) => text)).toEqual([
      '1',
      '10',
      '100',
      '1,000',
      '10,000',
      '100,000',
      '1,000,000',
    ]);
  });

  test.each([[[]], [[5000]], [[0]]])('of %j has a place for everything', (values) => {
    const { place, ticks } = scaleOf(AXIS, values, ROOM);
    for (const at of [...values.map(place), ...ticks.map((tick) => tick.place)]) {
      expect(at).toBeGreaterThanOrEqual(0);
      expect(at).toBeLessThanOrEqual(100);
    }
  });
});
