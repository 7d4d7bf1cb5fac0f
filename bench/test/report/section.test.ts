import { expect, test } from 'vitest';
import { type FlaggedRow, notesOf } from '../../src/report/section.ts';
import type { Flag } from '../../src/validity/flags.ts';
import { shown } from './look.ts';

const shared = (workers: number): Flag => {
  return { code: 'SHARED_CPU', workers, by: 'processes', cores: 2 };
};
const bad: Flag = { code: 'BAD_RESPONSE', wrong: 1, answers: 2 };
const noted = (...rows: Flag[][]): FlaggedRow[] => {
  return rows.map((flags, index) => ({ label: `row ${index}`, flags }));
};
const linesOf = ({ blocks }: ReturnType<typeof notesOf>) => shown({ blocks }).split('\n');

const INVALID = 'a BAD_RESPONSE (invalid requests/s, latency, CPU and memory):';
const WRONG = '1 of 2 answers had the wrong status or body.';
const share = (workers: number) => `${workers} server processes and the generator share 2 cores`;
const EXAMPLE = 'for example row 0: 1 server process and the generator share 2 cores.';
const MANY = [1, 2, 3, 4].map((workers) => [shared(workers)]);

test.each<[rows: Flag[][], ...lines: string[]]>([
  [[[bad], [shared(2)]], `${INVALID} row 0: ${WRONG}`, `b SHARED_CPU: row 1: ${share(2)}.`],
  [
    [[shared(2)], [shared(4)], [shared(2)], []],
    `a SHARED_CPU: row 0, row 2: ${share(2)}; row 1: ${share(4)}.`,
  ],
  [[[shared(2)], [shared(2)]], `a SHARED_CPU: all: ${share(2)}.`],
  [[[shared(2)]], `a SHARED_CPU: row 0: ${share(2)}.`],
  [MANY, `a SHARED_CPU: all; ${EXAMPLE}`],
  [[...MANY, []], `a SHARED_CPU: row 0, row 1, row 2, row 3; ${EXAMPLE}`],
  [MANY.slice(1), `a SHARED_CPU: row 0: ${share(2)}; row 1: ${share(3)}; row 2: ${share(4)}.`],
])('footnotes name the rows with the same evidence together: %#', (rows, ...lines) => {
  expect(linesOf(notesOf(noted(...rows)))).toEqual(lines);
});

test('footnotes say which figures are invalid, where others are not', () => {
  const little: Flag = { code: 'LITTLE', ratio: 2, low: 0.9, high: 1.1 };
  const impossible: Flag = { code: 'IMPOSSIBLE', usedShare: 1.2, cores: 1 };
  const unsettled: Flag = { code: 'UNSETTLED', settled: 0, launches: 3 };
  const lines = linesOf(notesOf(noted([little, impossible, unsettled]), () => 'here'));
  expect(lines).toEqual([
    ...['a LITTLE (invalid latency): here.', 'b IMPOSSIBLE (invalid CPU): here.'],
    'c UNSETTLED: here.',
  ]);
});
