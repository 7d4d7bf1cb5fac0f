import { describe, expect, test } from 'vitest';
import type { Section } from '../../../src/report/document.ts';
import { answerSection } from '../../../src/report/sections/answer.ts';
import { summarizeOverheads } from '../../../src/summary/comparisons.ts';
import { summarize } from '../../../src/summary/summary.ts';
import { makeRecord } from '../../support/make-record.ts';
import { shown } from '../look.ts';
import { rowsOf } from '../rows-of.ts';

/** Of the floor, what stands on it, and what stands on that, each with such a cost in µs in every slice. */
function answerOf(costs: Record<string, number>, launches = 5): Section {
  const record = makeRecord({ options: { launches } }, ({ target }, launch) => ({
    ok: 1000,
    cpuUsPerResponse: (costs[target] ?? 0) * (1 + launch / 1000),
  }));
  const overheads = summarizeOverheads(record, summarize(record).conditions);
  if (overheads === null) throw new Error('there is nothing to answer');
  return answerSection(overheads);
}

describe('the answer', () => {
  const answer = () => answerOf({ floor: 10, middle: 12, top: 30 });

  test('is a ladder from the floor upwards, with what each adds', () => {
    const rows = rowsOf(answer()).map(([target, , over, adds]) => [target, over, adds]);
    expect(rows).toEqual([
      ['floor', '–', '–'],
      ['middle', 'floor', expect.stringMatching(/^\+2\.0\d ±/)],
      ['top', 'middle', expect.stringMatching(/^\+18\.0\d? ±/)],
    ]);
  });

  test('has bars, of which the longest is that of the dearest step', () => {
    const bars = rowsOf(answer()).map((row) => row[4]);
    expect(bars[0]).toBe('');
    expect(bars[2]).toMatchObject({ high: expect.closeTo(18_000, -3) });
    const lengths = shown(answer())
      .split('\n')
      .map((line) => line.replaceAll(/[^█▒]/g, '').length)
      .filter((length) => length > 0);
    expect(lengths).toEqual([2, 14]);
  });

  test('says what the dearest request is made of', () => {
    expect(shown(answer())).toMatch(
      /Of the 30\.1 µs of CPU that a request costs on top: 10\.0 floor, \+2\.0\d ±\S+ middle, \+18\.\d\d? ±\S+ top\.$/,
    );
  });

  test('says of few launches that those of all steps tell how well each is known', () => {
    const costs = { floor: 10, middle: 12, top: 30 };
    const said = 'So few launches tell badly how far those of one step differ';
    expect(shown(answerOf(costs, 4)).replaceAll('\n', ' ')).toContain(said);
    expect(shown(answerOf(costs, 5)).replaceAll('\n', ' ')).not.toContain(said);
  });

  test('warns of steps that may cost nothing', () => {
    expect(shown(answerOf({ floor: 10, middle: 10, top: 30 }))).toContain(
      'A step whose interval holds 0 may cost nothing.',
    );
  });
});
