import { lexer } from 'marked';
import { expect, test } from 'vitest';
import { renderMarkdown } from '../../src/report/text.ts';
import { cluster, curve, cutShort, frameworks } from './golden-records.ts';
import { hostile, pageOf } from './html/pages.ts';

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

test('texts that others wrote are nothing but text', () => {
  const tokens = lexer(renderMarkdown(pageOf(hostile(cutShort()))));
  expect(tokens.filter(({ type }) => type === 'html')).toEqual([]);
});
