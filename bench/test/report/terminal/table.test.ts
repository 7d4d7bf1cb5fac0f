import { stripVTControlCharacters, styleText } from 'node:util';
import { describe, expect, test } from 'vitest';
import { amount, type Column, tableOf } from '../../../src/report/tabulate.ts';
import type { Look } from '../../../src/report/terminal/look.ts';
import { renderTable } from '../../../src/report/terminal/table.ts';
import { plain } from '../look.ts';

interface Row {
  name: string;
  size: number;
}
const ROWS: Row[] = [
  { name: 'small', size: 1 },
  { name: 'much larger', size: 123_456_789 },
];
const draw = (columns: Column<Row>[], look: Look) =>
  renderTable(tableOf(['target', ({ name }) => name], columns, ROWS), look);

function column(group: string, head: string, factor = 1): Column<Row> {
  return amount(group, head, ({ size }) => String(size * factor));
}

const COLUMNS = [
  column('rate', 'one'),
  column('rate', 'two', 2),
  column('latency', 'three', 3),
  column('latency', 'four', 4),
  column('volume', 'five', 5),
];

/** The heads of each of the tables that this text consists of. */
function headsOf(text: string): string[][] {
  return text.split('\n\n').map((table) => (table.split('\n')[0] ?? '').trim().split(/\s+/));
}

const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));
const render = (width: number, columns = COLUMNS) => draw(columns, plain(width));

test('aligns names to the left and figures to the right, with a line below the head', () => {
  const table = render(80, [column('a', 'size'), column('a', 'a\nlonger head', 0)]);
  expect(table.split('\n')).toEqual([
    'target            size            a',
    '                        longer head',
    '───────────────────────────────────',
    'small                1            0',
    'much larger  123456789            0',
  ]);
});

test('is one table where it fits, and only there', () => {
  const width = widest(render(1000));
  expect(headsOf(render(width))).toEqual([['target', 'one', 'two', 'three', 'four', 'five']]);
  expect(headsOf(render(width - 1))).toHaveLength(2);
});

describe('where it is too wide', () => {
  test('splits between groups, and names the rows again', () => {
    expect(headsOf(render(60))).toEqual([
      ['target', 'one', 'two', 'three', 'four'],
      ['target', 'five'],
    ]);
    expect(headsOf(render(50))).toEqual([
      ['target', 'one', 'two'],
      ['target', 'three', 'four', 'five'],
    ]);
    for (const table of render(50).split('\n\n')) {
      for (const { name } of ROWS) expect(table).toContain(name);
    }
  });

  test('splits a group only where it fits nowhere', () => {
    expect(headsOf(render(25))).toEqual(
      ['one', 'two', 'three', 'four', 'five'].map((head) => ['target', head]),
    );
  });

  test('fills the first table as the others where its group has to be split', () => {
    const columns = ['one', 'two', 'three', 'four', 'five'].map((head) => column('all', head));
    // Names of 11, and two columns of 9 with their gaps.
    expect(headsOf(render(33, columns))).toEqual([
      ['target', 'one', 'two'],
      ['target', 'three', 'four'],
      ['target', 'five'],
    ]);
  });

  test('is never wider than the terminal as long as each column fits', () => {
    const narrowest = Math.max(...COLUMNS.map((each) => widest(render(1, [each]))));
    for (let width = narrowest; width <= 100; width++) {
      expect(widest(render(width))).toBeLessThanOrEqual(width);
    }
  });

  test('names the rows by as many of the first columns as it takes to tell them apart', () => {
    const sizes = [1, 2, 3];
    const table = tableOf(
      ['target', () => 'the same'],
      [
        amount<number>('', 'limit', String),
        ...COLUMNS.map(({ group, head }) => amount<number>(group, head, () => '123456789')),
      ],
      sizes,
    );
    expect(headsOf(renderTable(table, plain(50)))).toEqual([
      ['target', 'limit', 'one', 'two'],
      ['target', 'limit', 'three', 'four', 'five'],
    ]);
    // Where they would leave no room for the others, the first has to do.
    expect(headsOf(renderTable(table, plain(22)))).toEqual([
      ['target', 'limit'],
      ...['one', 'two', 'three', 'four', 'five'].map((head) => ['target', head]),
    ]);
  });

  test('keeps every column, in order, at every width', () => {
    for (let width = 1; width <= 100; width++) {
      const heads = headsOf(render(width)).flat();
      const figures = heads.filter((head) => head !== 'target');
      expect(figures).toEqual(['one', 'two', 'three', 'four', 'five']);
    }
  });
});

test('colours take no room', () => {
  const red = (text: string) => styleText('red', text, { validateStream: false });
  const columns = COLUMNS.map(({ cell, ...rest }): Column<Row> => {
    return { ...rest, cell: (row) => ({ text: String(cell(row)), emphasis: 'warn' }) };
  });
  const width = widest(render(1000));
  const coloured = draw(columns, { ...plain(width), bold: red, warn: red });
  expect(coloured).toContain('\u001b[31mone');
  expect(coloured).toContain('\u001b[31m246913578');
  expect(stripVTControlCharacters(coloured)).toBe(render(width));
});

test('makes every line of the head bold, and nothing else', () => {
  const look = { ...plain(80), bold: (text: string) => text.toUpperCase() };
  const table = draw([column('a', 'size\nbytes')], look);
  expect(table).toContain('TARGET');
  expect(table).toContain('SIZE');
  expect(table).toContain('BYTES');
  expect(table).toContain('much larger');
});

test('breaks a head that is a name between its words', () => {
  const named: Column<Row> = { ...column('a', ''), head: { name: 'Nest + Fastify' } };
  expect(draw([named], plain(80)).split('\n').slice(0, 2)).toEqual([
    'target          Nest +',
    '               Fastify',
  ]);
});

test('crosses out what is struck, which takes room', () => {
  const struck: Column<Row> = {
    ...column('a', 'size'),
    cell: ({ size }) => ({ text: String(size), emphasis: 'struck' }),
  };
  expect(draw([struck], plain(80)).split('\n').at(-1)).toBe('much larger  ~~123456789~~');
});
