import { describe, expect, test } from 'vitest';
import type { Estimate } from '../../../src/math/statistics.ts';
import { overheadSentence } from '../../../src/report/sections/overhead.ts';
import { interval, STACK } from '../../support/make-record.ts';

const [floor, middle, top] = STACK;
if (!floor || !middle || !top) throw new Error('there are three targets');

describe('the sentence of overheads', () => {
  const row = (target: typeof top, over: typeof top, difference: Estimate) => ({
    ...{ target, over },
    comparison: { ratio: interval(1.1, 1, 1.2), difference, verdict: 'slower' as const },
    flags: [],
  });

  test('names the dearest step', () => {
    const rows = [
      row(middle, floor, interval(2000, 1000, 3000)),
      row(top, middle, interval(9000, 8000, 10_000)),
    ];
    for (const each of [rows, [...rows].reverse()]) {
      expect(overheadSentence(each)).toContain(
        'a server on top +9.0 ±1.0 µs of CPU over middle, the most of all steps here',
      );
    }
  });

  test('says so where no step costs anything', () => {
    const rows = [
      row(middle, floor, interval(-3000, -4000, -2000)),
      row(top, middle, interval(-1000, -2000, 0)),
    ];
    expect(overheadSentence(rows)).toBe('No step here costs more CPU than what it is built on.');
  });
});
