import { expect, test } from 'vitest';
import { brief } from '../../src/report/brief.ts';
import type { Footnote, Section } from '../../src/report/document.ts';
import { FLAG_TEXTS } from '../../src/report/flag-texts.ts';
import type { Code } from '../../src/validity/flags.ts';
import { rowsOf } from './rows-of.ts';

/** A section whose rows have these letters, of the flags that these notes tell of. */
function sectionOf(
  letters: string[],
  notes: [letter: string, code: Code, invalid?: string][],
): Section {
  const footnotes = notes.map(([letter, code, invalid = null]): Footnote => {
    return { letter, code, invalid, tells: 'evidence', text: 'as was seen' };
  });
  return {
    blocks: [
      {
        kind: 'table',
        columns: [
          { group: '', head: 'target', align: 'left' },
          { group: '', head: 'flags', align: 'left' },
        ],
        rows: letters.map((each) => ['a', each]),
      },
      { kind: 'footnotes', notes: footnotes },
    ],
    flags: notes.map(([, code]) => code),
  };
}

const notesOf = ({ blocks }: Section) => {
  return blocks.flatMap((block) => (block.kind === 'footnotes' ? block.notes : []));
};

test('a flag is told in one short line, where it is met first, by one letter everywhere', () => {
  const [first, second] = brief([
    sectionOf(
      ['a', 'b a'],
      [
        ['a', 'LATE'],
        ['b', 'REGIME'],
      ],
    ),
    sectionOf(
      ['–', 'b a'],
      [
        ['a', 'SPREAD'],
        ['b', 'LATE'],
      ],
    ),
  ]);
  if (first === undefined || second === undefined) throw new Error('there are two sections');
  expect(rowsOf(first)).toEqual([
    ['a', 'a'],
    ['a', 'a b'],
  ]);
  expect(rowsOf(second)).toEqual([
    ['a', '–'],
    ['a', 'a c'],
  ]);
  expect(notesOf(first).map(({ letter, text }) => [letter, text])).toEqual([
    ['a', FLAG_TEXTS.LATE.brief],
    ['b', FLAG_TEXTS.REGIME.brief],
  ]);
  expect(notesOf(second)).toMatchObject([{ letter: 'c', code: 'SPREAD', tells: 'advice' }]);
});

test('what makes figures wrong is told with what was seen, each time', () => {
  const wrong = () => sectionOf(['a'], [['a', 'BAD_RESPONSE', 'invalid CPU']]);
  for (const section of brief([wrong(), wrong()])) {
    expect(notesOf(section)).toEqual([
      {
        ...{ letter: 'a', code: 'BAD_RESPONSE', invalid: 'invalid CPU' },
        ...{ tells: 'evidence', text: 'as was seen' },
      },
    ]);
  }
});

test('the line of every flag fits into 100 columns', () => {
  for (const [code, texts] of Object.entries(FLAG_TEXTS)) {
    expect(`a ${code}: ${texts.brief}.`.length, code).toBeLessThanOrEqual(100);
  }
});
