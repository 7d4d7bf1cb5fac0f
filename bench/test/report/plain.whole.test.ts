import { describe, expect, test } from 'vitest';
import type { Document, Table } from '../../src/report/document.ts';
import { renderPlain } from '../../src/report/plain.ts';
import { runDocument } from '../../src/report/run-report.ts';
import { headText } from '../../src/report/tabulate.ts';
import { suiteOf } from '../../src/suites/index.ts';
import { summarize } from '../../src/summary/summary.ts';
import { board, cluster, curve, frameworks, rate, tax } from './golden-records.ts';

const RECORDS = Object.entries({ frameworks, cluster, curve, rate, board, 'pm2-tax': tax });

function documentOf(record: ReturnType<typeof frameworks>): Document {
  const depth = { details: true, explain: true };
  const summary = summarize(record);
  const sections = suiteOf(record).show(summary, depth);
  return runDocument(summary, sections, depth);
}

/** Of each cell with a figure: the words that its line begins with, and the end of its column's name with it. */
function figuresOf({ columns, rows }: Table): { row: string; figure: string }[] {
  return rows.flatMap(([name, ...cells]) => {
    return cells.flatMap((cell, index) => {
      const head = headText(columns[index + 1]?.head ?? '');
      if (typeof cell !== 'string' || cell === '' || cell === '–') return [];
      const first = headText(columns[0]?.head ?? '');
      return [{ row: `${first} ${String(name)}: `, figure: `${head} ${cell}` }];
    });
  });
}

describe.each(RECORDS)('the report of %s, read aloud', (_, make) => {
  test('has every figure in a line with the names of its row and column', () => {
    const document = documentOf(make());
    const lines = renderPlain(document).split('\n');
    const tables = document.sections
      .flatMap(({ blocks }) => blocks)
      .filter((block) => block.kind === 'table');
    const figures = tables.flatMap(figuresOf);
    expect(figures.length).toBeGreaterThan(0);
    const isThere = ({ row, figure }: (typeof figures)[number]) => {
      return lines.some((line) => line.startsWith(row) && line.includes(figure));
    };
    expect(figures.filter((each) => !isThere(each))).toEqual([]);
  });
});

test('columns of one name are told apart by their groups, and what is crossed out is said', () => {
  const column = (group: string, head: string) => ({ group, head, align: 'right' as const });
  const table: Table = {
    kind: 'table',
    columns: [column('', 'target'), column('single', 'CPU\nµs'), column('max', 'CPU\nµs')],
    rows: [['a', '1', { text: '2', emphasis: 'struck' }]],
  };
  const document = { title: 't', intro: [], warnings: [], foot: [] };
  expect(renderPlain({ ...document, sections: [{ blocks: [table], flags: [] }] })).toContain(
    '\ntarget a: single CPU µs 1; max CPU µs 2 (crossed out).\n',
  );
});
