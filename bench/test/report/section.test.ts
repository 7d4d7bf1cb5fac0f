import { expect, test } from 'vitest';
import type { Footnote, Section } from '../../src/report/document.ts';
import { FLAG_TEXTS } from '../../src/report/flag-texts.ts';
import { brief, type FlaggedRow, notesOf } from '../../src/report/section.ts';
import type { Code, Flag } from '../../src/validity/flags.ts';
import { rowsOf, shown } from './look.ts';

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

/** A section whose rows have these letters, each of the flag of its note. */
function sectionOf(letters: string[], codes: Code[], invalid: string | null = null): Section {
  const columns = ['target', 'flags'].map((head) => ({ group: '', head, align: 'left' as const }));
  const notes = codes.map((code, place): Footnote => {
    return { letter: 'ab'.charAt(place), code, invalid, text: 'as was seen' };
  });
  const table = { kind: 'table' as const, columns, rows: letters.map((each) => ['row', each]) };
  return { blocks: [table, { kind: 'footnotes', notes }] };
}

test('a flag has one short line, where it first appears, and one letter everywhere', () => {
  const sections = brief([
    sectionOf(['a', 'b a'], ['LATE', 'REGIME']),
    sectionOf(['–', 'b a'], ['SPREAD', 'LATE']),
  ]);
  expect(sections.map((section) => rowsOf(section).map(([, letters]) => letters))).toEqual([
    ['a', 'a b'],
    ['–', 'a c'],
  ]);
  const blocks = sections.flatMap((section) => section.blocks);
  expect(blocks.flatMap((block) => (block.kind === 'footnotes' ? block.notes : []))).toMatchObject([
    { letter: 'a', code: 'LATE', text: FLAG_TEXTS.LATE.brief },
    { letter: 'b', code: 'REGIME', text: FLAG_TEXTS.REGIME.brief },
    { letter: 'c', code: 'SPREAD', text: FLAG_TEXTS.SPREAD.brief },
  ]);
});

test('a flag that makes figures invalid keeps its evidence, each time', () => {
  const wrong = sectionOf(['a'], ['BAD_RESPONSE'], 'invalid CPU');
  expect(brief([wrong, wrong])).toEqual([wrong, wrong]);
});
