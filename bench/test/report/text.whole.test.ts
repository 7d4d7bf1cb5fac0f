import { lexer } from 'marked';
import { expect, test } from 'vitest';
import type { Block, Footnote, Table } from '../../src/report/document.ts';
import { runDocument } from '../../src/report/run-report.ts';
import { headText } from '../../src/report/tables.ts';
import {
  renderDocument,
  renderMarkdown,
  renderPlain,
  renderSections,
} from '../../src/report/text.ts';
import { suiteOf } from '../../src/suites/index.ts';
import { summarize } from '../../src/summary/summary.ts';
import { board, cluster, curve, cutShort, frameworks, rate, tax } from './golden-records.ts';
import { hostile, pageOf } from './html/pages.ts';
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

/** Of each cell with a figure: how its line begins, and the end of its column's name with the figure. */
function figuresOf({ columns, rows }: Table): { begin: string; figure: string }[] {
  const heads = columns.map(({ head }) => headText(head));
  return rows.flatMap(([name, ...cells]) => {
    return cells.flatMap((cell, index) => {
      if (typeof cell !== 'string' || cell === '' || cell === '–') return [];
      return [{ begin: `${heads[0]} ${String(name)}: `, figure: `${heads[index + 1]} ${cell}` }];
    });
  });
}

test.each(Object.entries({ frameworks, cluster, curve, rate, board, 'pm2-tax': tax }))(
  'the report of %s, read aloud, has every figure in a line with the names of its row and column',
  (_, make) => {
    const [record, depth] = [make(), { details: true, explain: true }];
    const summary = summarize(record);
    const document = runDocument(summary, suiteOf(record).show(summary, depth), depth);
    const lines = renderPlain(document).split('\n');
    const blocks = document.sections.flatMap((section) => section.blocks);
    const figures = blocks.flatMap((block) => (block.kind === 'table' ? figuresOf(block) : []));
    expect(figures.length).toBeGreaterThan(0);
    const missing = figures.filter(({ begin, figure }) => {
      return !lines.some((line) => line.startsWith(begin) && line.includes(figure));
    });
    expect(missing).toEqual([]);
  },
);

test('columns of one name are told apart by their groups, and what is crossed out is said', () => {
  const column = (group: string, head: string) => ({ group, head, align: 'right' as const });
  const table: Table = {
    kind: 'table',
    columns: [column('', 'target'), column('single', 'CPU\nµs'), column('max', 'CPU\nµs')],
    rows: [['a', '1', { text: '2', emphasis: 'struck' }]],
  };
  const document = { title: 't', intro: [], warnings: [], foot: [] };
  expect(renderPlain({ ...document, sections: [{ blocks: [table] }] })).toContain(
    '\ntarget a: single CPU µs 1; max CPU µs 2 (crossed out).\n',
  );
});

test.each(Object.entries({ frameworks, cluster, curve, cutShort }))(
  '%s in Markdown has every heading, and every table with all its rows',
  (_, make) => {
    const document = pageOf(make());
    const tokens = lexer(renderMarkdown(document));
    const blocks = document.sections.flatMap((section) => section.blocks);
    const tables = tokens.flatMap((token) => (token.type === 'table' ? [token.rows.length] : []));
    const shown = blocks.filter(({ kind }) => kind === 'table' || kind === 'figure');
    expect(tables).toHaveLength(shown.length);
    const rows = blocks.flatMap((block) => (block.kind === 'table' ? [block.rows.length] : []));
    for (const count of rows) expect(tables).toContain(count);
    const headings = tokens.filter(({ type }) => type === 'heading');
    expect(headings).toHaveLength(1 + blocks.filter(({ kind }) => kind === 'heading').length);
  },
);

test('in Markdown, texts that others wrote are nothing but text', () => {
  const tokens = lexer(renderMarkdown(pageOf(hostile(cutShort()))));
  expect(tokens.filter(({ type }) => type === 'html')).toEqual([]);
});
