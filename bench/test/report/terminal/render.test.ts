import { describe, expect, test } from 'vitest';
import type { Block, Document } from '../../../src/report/document.ts';
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
  const document: Document = {
    ...{ title: 'overhead', intro: ['as it was told'], warnings: ['take care of it'] },
    sections: ['one', 'two'].map((text) => ({ blocks: [paragraph(text)], flags: [] })),
    foot: ['and so it ended'],
  };
  expect(renderDocument(document, marked)).toBe(
    '*overhead*\nas it was\ntold\n!take care\nof it!\n\none\n\ntwo\n\nand so it\nended\n',
  );
});

describe('a section', () => {
  test('has its blocks one below the other, and a blank line between tables', () => {
    const drawn = '*size*\n──────\nsmall';
    expect(render(heading('One'), table, table, paragraph('text'))).toBe(
      `*One*\n${drawn}\n\n${drawn}\ntext`,
    );
  });

  test('has a heading that goes on in the next line where it is too long, each of them bold', () => {
    expect(render(heading('As it was told'))).toBe('*As it was*\n*told*');
  });

  test('says of footnotes what is invalid', () => {
    const note = {
      letter: 'a',
      code: 'LATE',
      invalid: null,
      tells: 'evidence',
      text: 'here',
    } as const;
    const notes = [note, { ...note, letter: 'b', invalid: 'invalid latency and CPU' }];
    expect(renderSections([{ blocks: [{ kind: 'footnotes', notes }], flags: [] }], plain(80))).toBe(
      'a LATE here.\nb LATE (invalid latency and CPU) here.',
    );
    expect(render({ kind: 'footnotes', notes: [note] })).toBe('(a LATE\nhere.)');
  });

  test('warns of a failure line by line, and leaves the last words as they were', () => {
    const logTail = ['so long, and farewell', 'bye'];
    expect(render({ kind: 'failure', message: 'it was killed', logTail })).toBe(
      '!it was!\n!killed!\n(  so long, and farewell)\n(  bye)',
    );
  });

  test('tells what a word means', () => {
    expect(render({ kind: 'definition', term: 'LATE', text: 'it was' })).toBe('LATE: it\nwas');
  });
});
