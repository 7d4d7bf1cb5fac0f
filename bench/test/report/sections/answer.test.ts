import { describe, expect, test } from 'vitest';
import type { Section } from '../../../src/report/document.ts';
import { answerSection } from '../../../src/report/sections/answer.ts';
import { summarizeLowRate, summarizeOverheads } from '../../../src/summary/comparisons.ts';
import { summarize } from '../../../src/summary/summary.ts';
import { makeRecord } from '../../support/make-record.ts';
import { shown } from '../look.ts';
import { rowsOf } from '../rows-of.ts';

/** Of the floor, what stands on it, and what stands on that, each with such a cost in µs in the first launch. */
function answerOf(costs: Record<string, number>, launches = 5): Section {
  const dearer = Array.from({ length: launches }, (_, launch) => 1 + launch / 1000);
  return answerIn(
    Object.fromEntries(
      Object.entries(costs).map(([name, us]) => [name, dearer.map((times) => us * times)]),
    ),
  );
}

/** Of the same, with such costs in µs, launch by launch; without a slice where there is none. */
function answerIn(costs: Record<string, number[]>): Section {
  const launches = Math.max(...Object.values(costs).map(({ length }) => length));
  const record = makeRecord({ options: { launches } }, ({ target }, launch) => {
    const cpuUsPerResponse = costs[target]?.[launch];
    return cpuUsPerResponse === undefined ? null : { ok: 1000, cpuUsPerResponse };
  });
  const { conditions } = summarize(record);
  const overheads = summarizeOverheads(record, conditions);
  if (overheads === null) throw new Error('there is nothing to answer');
  return answerSection(overheads, summarizeLowRate(record, conditions));
}

/** What the rows have as levels and as what is added, without how well that is known. */
function valuesIn(answer: Section): (string | undefined)[][] {
  return rowsOf(answer).map(([, level, , adds]) =>
    [level, adds].map((each) => String(each).split(' ')[0]),
  );
}

describe('the answer', () => {
  const answer = () => answerOf({ floor: 10, middle: 12, top: 30 });

  // Launches are 1, 1.001, … 1.004 times as dear: 1.002 on average, ± 2.7764 × 0.00158 / √5 = 0.00196.
  test('is a ladder from the floor upwards, with what each adds', () => {
    expect(rowsOf(answer()).map((row) => row.slice(0, 4))).toEqual([
      ['floor', '10.02 ±0.02', '–', '–'],
      ['middle', '12.02 ±0.02', 'floor', '+2.00 ±0.00'],
      ['top', '30.06 ±0.06', 'middle', '+18.04 ±0.04'],
    ]);
  });

  test('has levels and what is added with the decimals of what is known the best', () => {
    // Of two launches ± 12.7062 × half of how far they are apart: 1.27, 0.127 and 12.7 µs.
    const answer = answerIn({ floor: [10.1, 10.3], middle: [20.01, 20.03], top: [31, 33] });
    expect(rowsOf(answer).map((row) => row.slice(0, 4))).toEqual([
      ['floor', '10.20 ±1.27', '–', '–'],
      ['middle', '20.02 ±0.13', 'floor', '+9.82 ±1.14'],
      ['top', '32.00 ±12.71', 'middle', '+11.98 ±12.58'],
    ]);
  });

  test('adds up as it is printed, in every row and in words', () => {
    // By themselves +2.00 and +3.01.
    const costs = { floor: 10.004, middle: 12.008, top: 15.014 };
    const alike = Object.entries(costs).map(([name, us]) => [name, [us, us, us]]);
    const answer = answerIn(Object.fromEntries(alike));
    expect(valuesIn(answer)).toEqual([
      ['10.00', '–'],
      ['12.01', '+2.01'],
      ['15.01', '+3.00'],
    ]);
    expect(shown(answer)).toContain(
      'Of the 15.01 µs of CPU that a request costs on top: 10.00 floor, +2.01 ±0.00 middle, +3.00 ±0.00 top.',
    );
  });

  test('adds what was added in the launches that both have to a base that is of more', () => {
    const answer = answerIn({
      floor: [10, 10, 10, 10, 20],
      middle: [12, 12, 12, 12],
      top: [30, 30, 30, 30, 30],
    });
    expect(valuesIn(answer)).toEqual([
      ['12.00', expect.anything()],
      ['14.00', expect.anything()],
      ['32.00', '+18.00'],
    ]);
    const middle = rowsOf(answer).find(([name]) => name === 'middle');
    expect(middle?.slice(1, 4)).toEqual(['14.00 ±0.00', 'floor', '+2.00 ±0.00']);
  });

  test('has bars, of which the longest is that of the dearest step', () => {
    const lengths = shown(answer())
      .split('\n')
      .map((line) => line.replaceAll(/[^█▒]/g, '').length)
      .filter((length) => length > 0);
    expect(lengths).toEqual([2, 14]);
  });

  test('says what the dearest request is made of', () => {
    expect(shown(answer())).toMatch(
      /Of the 30\.06 µs of CPU that a request costs on top: 10\.02 floor, \+2\.00 ±0\.00 middle, \+18\.04 ±0\.04 top\.$/m,
    );
  });

  test('says beside it what each adds at a low rate, and how requests came', () => {
    const record = makeRecord({}, ({ target, load }, launch) => {
      const us = { floor: 10, middle: 12, top: 30 }[target] ?? 0;
      const noise = 1 + launch / 1000;
      return { ok: 950, cpuUsPerResponse: us * (load === 'low' ? 3 : 1) * noise };
    });
    const { conditions } = summarize(record);
    const [overheads, low] = [
      summarizeOverheads(record, conditions),
      summarizeLowRate(record, conditions),
    ];
    if (overheads === null) throw new Error('there is nothing to answer');
    const section = answerSection(overheads, low);
    expect(rowsOf(section).map((row) => row[6])).toEqual(['–', '+6.00 ±0.04', '+54.03 ±0.34']);
    expect(shown(section)).toContain(
      'What a step adds depends on how requests arrive: at a busy server (-c 100 -p 10) many at once; at a low rate ' +
        'one at a time, about 950 a second, which keeps the busiest server, top, busy for 8.55 % of the time.',
    );
    expect(shown(answerSection(overheads, null))).not.toContain('low rate');
  });

  test('warns of steps that may cost nothing', () => {
    expect(shown(answerOf({ floor: 10, middle: 10, top: 30 }))).toContain(
      'A step whose interval holds 0 may cost nothing.',
    );
  });
});
