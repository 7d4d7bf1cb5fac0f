import { expect, test } from 'vitest';
import type { Footnote, Section } from '../../src/report/document.ts';
import { FLAG_TEXTS } from '../../src/report/flag-texts.ts';
import { brief } from '../../src/report/notes.ts';
import type { Code } from '../../src/validity/flags.ts';
import { rowsOf } from './rows-of.ts';

/** A section whose rows have these letters, each of the flag of its note. */
function sectionOf(letters: string[], codes: Code[], invalid: string | null = null): Section {
  const columns = ['target', 'flags'].map((head) => ({ group: '', head, align: 'left' as const }));
  const notes = codes.map((code, place): Footnote => {
    return { letter: 'ab'.charAt(place), code, invalid, text: 'as was seen' };
  });
  const table = { kind: 'table' as const, columns, rows: letters.map((each) => ['row', each]) };
  return { blocks: [table, { kind: 'footnotes', notes }], flags: codes };
}

const notesOf = ({ blocks }: Section) => {
  return blocks.flatMap((block) => (block.kind === 'footnotes' ? block.notes : []));
};

test('a flag has one short line, where it first appears, and one letter everywhere', () => {
  const sections = brief([
    sectionOf(['a', 'b a'], ['LATE', 'REGIME']),
    sectionOf(['–', 'b a'], ['SPREAD', 'LATE']),
  ]);
  expect(sections.map((section) => rowsOf(section).map(([, letters]) => letters))).toEqual([
    ['a', 'a b'],
    ['–', 'a c'],
  ]);
  expect(sections.flatMap(notesOf)).toMatchObject([
    { letter: 'a', code: 'LATE', text: FLAG_TEXTS.LATE.brief },
    { letter: 'b', code: 'REGIME', text: FLAG_TEXTS.REGIME.brief },
    { letter: 'c', code: 'SPREAD', text: FLAG_TEXTS.SPREAD.brief },
  ]);
});

test('a flag that makes figures invalid keeps its evidence, each time', () => {
  const wrong = sectionOf(['a'], ['BAD_RESPONSE'], 'invalid CPU');
  expect(brief([wrong, wrong])).toEqual([wrong, wrong]);
});
