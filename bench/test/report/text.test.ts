import { expect, test } from 'vitest';
import type { Block, Footnote } from '../../src/report/document.ts';
import { renderDocument, renderSections } from '../../src/report/text.ts';
import { plain } from './look.ts';

const heading = (text: string): Block => ({ kind: 'heading', text });
const paragraph = (text: string): Block => ({ kind: 'paragraph', text });
const table: Block = {
  kind: 'table',
  columns: [{ group: '', head: 'size\nMB', align: 'left' }],
  rows: [['small'], [{ text: '900', emphasis: 'warn' }]],
};
const marked = {
  ...plain(9),
  bold: (text: string) => `*${text}*`,
  dim: (text: string) => `(${text})`,
  warn: (text: string) => `!${text}!`,
};
const render = (...blocks: Block[]) => renderSections([{ blocks }], marked);

test('a document is its head, its sections and its foot, with a blank line between them', () => {
  const head = { title: 'overhead', intro: ['as it was told'], warnings: ['take care of it'] };
  const sections = ['one', 'two'].map((text) => ({ blocks: [paragraph(text)] }));
  expect(renderDocument({ ...head, sections, foot: ['and so it ended'] }, marked)).toBe(
    '*overhead*\nas it was\ntold\n!take care!\n!of it!\n\none\n\ntwo\n\nand so it\nended\n',
  );
});

const DRAWN = '*size*\n*MB*\n──────\nsmall\n!900!';
const note: Footnote = { letter: 'a', code: 'LATE', invalid: null, text: 'here' };
const logTail = ['so long, and farewell', 'bye'];

test.each<[string, string, ...Block[]]>([
  [
    'its blocks one below the other, a blank line between tables, and heads and warnings styled',
    `*One*\n${DRAWN}\n\n${DRAWN}\ntext`,
    ...[heading('One'), table, table, paragraph('text')],
  ],
  ['a long heading in several lines', '*As it was*\n*told*', heading('As it was told')],
  ['dim footnotes', '(a LATE:\nhere.)', { kind: 'footnotes', notes: [note] }],
  [
    'each line of a failure as a warning, and its log as it was',
    '!it was!\n!killed!\n(  so long, and farewell)\n(  bye)',
    { kind: 'failure', message: 'it was killed', logTail },
  ],
  ['definitions', 'LATE: it\nwas', { kind: 'definition', term: 'LATE', text: 'it was' }],
])('a section has %s', (_, text, ...blocks) => {
  expect(render(...blocks)).toBe(text);
});
