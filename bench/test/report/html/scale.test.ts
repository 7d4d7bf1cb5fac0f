import { expect, test } from 'vitest';
import type { Axis } from '../../../src/report/document.ts';
import { scaleOf } from '../../../src/report/html/plot.ts';

const AXIS: Axis = {
  ...{ label: 'µs', unit: 1000, scale: 'linear', origin: null, ticks: null },
  text: String,
};
const LOG: Axis = { ...AXIS, scale: 'log' };
const ROOM = { from: 0, to: 100, count: 5, gap: 10 };

test('a scale goes from the least value to the most, and labels values in the unit of its axis', () => {
  const { place, ticks } = scaleOf(AXIS, [2000, 12_000], ROOM);
  expect([2000, 7000, 12_000].map(place)).toEqual([0, 50, 100]);
  expect(ticks.map(({ text }) => text)).toEqual(['2', '4', '6', '8', '10', '12']);
  for (const { text, place: at } of ticks) expect(at).toBe(place(Number(text) * 1000));
});

test('a scale holds its origin', () => {
  const { place } = scaleOf({ ...AXIS, origin: 0 }, [5000, 10_000], ROOM);
  expect([0, 5000].map(place)).toEqual([0, 50]);
});

test('a logarithmic scale leaves out what has no logarithm', () => {
  const { place, ticks } = scaleOf(LOG, [0, 1000, 100_000], ROOM);
  expect([1000, 10_000, 100_000].map(place)).toEqual([0, 50, 100]);
  expect(ticks.map(({ text }) => text)).toContain('10');
});

test('labels have enough space between them, the roundest first', () => {
  const { ticks } = scaleOf(LOG, [1000, 1e9], { ...ROOM, gap: 14 });
  const gaps = ticks.slice(1).map(({ place }, index) => place - (ticks[index]?.place ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(14);
  const labels = '1 10 100 1,000 10,000 100,000 1,000,000';
  expect(ticks.map(({ text }) => text).join(' ')).toBe(labels);
});

test.each([[[]], [[5000]], [[0]]])('a scale of %j has a place for everything', (values) => {
  const { place, ticks } = scaleOf(AXIS, values, ROOM);
  const places = [...values.map(place), ...ticks.map((tick) => tick.place)];
  expect(places.filter((at) => !(at >= 0 && at <= 100))).toEqual([]);
});
