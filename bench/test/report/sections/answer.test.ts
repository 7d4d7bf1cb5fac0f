import { expect, test } from 'vitest';
import type { Section } from '../../../src/report/document.ts';
import { answerSection } from '../../../src/report/sections/answer.ts';
import { makeRecord } from '../../support/make-record.ts';
import { present, summariesOf } from '../../support/summaries.ts';
import { rowsOf, shown } from '../look.ts';

/** Of the floor, what stands on it, and what stands on that, with such costs in µs, launch by launch. */
function answerOf(costs: Record<string, number[]>): Section {
  const launches = Math.max(...Object.values(costs).map(({ length }) => length));
  const record = makeRecord({ options: { launches } }, ({ target }, launch) => {
    const cpuUsPerResponse = costs[target]?.[launch];
    return cpuUsPerResponse === undefined ? null : { ok: 1000, cpuUsPerResponse };
  });
  return answerSection(present(summariesOf(record).overheads, 'overhead'), null);
}

/** Such a cost in five launches, in each a thousandth dearer than in the one before. */
const rising = (us: number) => [0, 1, 2, 3, 4].map((launch) => us * (1 + launch / 1000));
const LADDER = { floor: rising(10), middle: rising(12), top: rising(30) };

test('the answer has levels and what is added with the decimals of what is known the best', () => {
  // Of two launches ± 12.7062 × half of how far they are apart: 1.27, 0.127 and 12.7 µs.
  const answer = answerOf({ floor: [10.1, 10.3], middle: [20.01, 20.03], top: [31, 33] });
  expect(rowsOf(answer).map((row) => row.slice(0, 4))).toEqual([
    ['floor', '10.20 ±1.27', '–', '–'],
    ['middle', '20.02 ±0.13', 'floor', '+9.82 ±1.14'],
    ['top', '32.00 ±12.71', 'middle', '+11.98 ±12.58'],
  ]);
});

test('the answer adds up as it is printed, in every row and in words', () => {
  // By themselves +2.00 and +3.01.
  const alike = (us: number) => [us, us, us];
  const answer = answerOf({ floor: alike(10.004), middle: alike(12.008), top: alike(15.014) });
  expect(rowsOf(answer).map(([, level, , adds]) => [level, adds])).toEqual([
    ['10.00 ±0.00', '–'],
    ['12.01 ±0.00', '+2.01 ±0.00'],
    ['15.01 ±0.00', '+3.00 ±0.00'],
  ]);
  expect(shown(answer)).toContain(
    'A request to top takes 15.01 µs of CPU: 10.00 floor, +2.01 ±0.00 middle, +3.00 ±0.00 top.',
  );
});

test('the answer adds what was added in the launches that both have to a base that is of more', () => {
  const costs = { floor: [10, 10, 10, 10, 20], middle: [12, 12, 12, 12], top: rising(30) };
  const [, middle, top] = rowsOf(answerOf(costs));
  expect(middle?.slice(1, 4)).toEqual(['14.00 ±0.00', 'floor', '+2.00 ±0.00']);
  expect(top?.slice(1, 3)).toEqual(['32.05 ±0.06', 'middle']);
  expect(top?.[3]).toMatch(/^\+18\.05 /);
});

test('the answer warns of steps that may cost nothing', () => {
  const warning = 'A step whose interval includes 0 may cost nothing.';
  expect(shown(answerOf({ ...LADDER, middle: rising(10) }))).toContain(warning);
  expect(shown(answerOf(LADDER))).not.toContain(warning);
});
