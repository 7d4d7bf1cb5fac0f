import { describe, expect, test } from 'vitest';
import type { Block, Footnote } from '../../../src/report/document.ts';
import { renderDocument, renderSections } from '../../../src/report/terminal/render.ts';
import { plain } from '../look.ts';

const heading = (text: string): Block => ({ kind: 'heading', text });
const paragraph = (text: string): Block => ({ kind: 'paragraph', text });
const table: Block = {
  kind: 'table',
  columns: [{ group: '', head: 'size', align: 'left' }],
  rows: [['small']],
};
const marked = {
  ...plain(9),
  bold: (text: string) => `*${text}*`,
  dim: (text: string) => `(${text})`,
  warn: (text: string) => `!${text}!`,
};
const render = (...blocks: Block[]) => renderSections([{ blocks, flags: [] }], marked);

test('a document is its head, its sections and its foot, with a blank line between them', () => {
  const head = { title: 'overhead', intro: ['as it was told'], warnings: ['take care of it'] };
  const sections = ['one', 'two'].map((text) => ({ blocks: [paragraph(text)], flags: [] }));
  expect(renderDocument({ ...head, sections, foot: ['and so it ended'] }, marked)).toBe(
    '*overhead*\nas it was\ntold\n!take care!\n!of it!\n\none\n\ntwo\n\nand so it\nended\n',
  );
});

const DRAWN = '*size*\n──────\nsmall';
const note: Footnote = { letter: 'a', code: 'LATE', invalid: null, text: 'here' };
const logTail = ['so long, and farewell', 'bye'];

describe('a section', () => {
  test.each<[string, Block[], text: string]>([
    [
      'has its blocks one below the other, and a blank line between tables',
      [heading('One'), table, table, paragraph('text')],
      `*One*\n${DRAWN}\n\n${DRAWN}\ntext`,
    ],
    ['has a long heading in several lines', [heading('As it was told')], '*As it was*\n*told*'],
    ['has dim footnotes', [{ kind: 'footnotes', notes: [note] }], '(a LATE:\nhere.)'],
    [
      'warns of a failure line by line, and shows the log as it was',
      [{ kind: 'failure', message: 'it was killed', logTail }],
      '!it was!\n!killed!\n(  so long, and farewell)\n(  bye)',
    ],
    [
      'says what a word means',
      [{ kind: 'definition', term: 'LATE', text: 'it was' }],
      'LATE: it\nwas',
    ],
  ])('%s', (_, blocks, text) => {
    expect(render(...blocks)).toBe(text);
  });
});
