import { describe, expect, test } from 'vitest';
import { amount, type Column, tableOf, words } from '../../../src/report/document.ts';
import { ascii, type Look, showsUnicode, wrap } from '../../../src/report/terminal/look.ts';
import { renderTable } from '../../../src/report/terminal/table.ts';
import { plain, widest } from '../look.ts';

interface Row {
  name: string;
  size: number;
}
const ROWS: Row[] = [
  { name: 'small', size: 1 },
  { name: 'much larger', size: 123_456_789 },
];

function draw(columns: Column<Row>[], look: Look): string {
  return renderTable(tableOf(['target', ({ name }) => name], columns, ROWS), look);
}

function column(group: string, head: string, factor = 1): Column<Row> {
  return amount(group, head, ({ size }) => String(size * factor));
}

const HEADS = ['one', 'two', 'three', 'four', 'five'];
const GROUPS = ['rate', 'rate', 'latency', 'latency', 'volume'];
const COLUMNS = HEADS.map((head, place) => column(GROUPS[place] ?? '', head, place + 1));

function headsOf(text: string): string[] {
  return text
    .split('\n\n')
    .map((table) => (table.split('\n')[0] ?? '').trim().replace(/\s+/g, ' '));
}

const render = (width: number, columns = COLUMNS) => draw(columns, plain(width));

test('is one table where it fits, and only there', () => {
  const width = widest(render(1000));
  expect(headsOf(render(width))).toEqual(['target one two three four five']);
  expect(headsOf(render(width - 1))).toHaveLength(2);
});

test('has drawings half as long where it fits only so', () => {
  const bar: Column<Row> = words('', 'bar', () => {
    return { text: '', width: 14, spans: [{ from: 0, to: 1, look: 'at least' }] };
  });
  const drawnAt = (width: number) => draw([column('', 'one'), bar], plain(width));
  const lengthAt = (width: number) => /█+/.exec(drawnAt(width))?.[0].length;
  const width = widest(drawnAt(1000));
  expect([width, width - 1, width - 7, width - 8].map(lengthAt)).toEqual([14, 7, 7, 14]);
  expect(headsOf(drawnAt(width - 7))).toEqual(['target one bar']);
  expect(headsOf(drawnAt(width - 8))).toEqual(['target one', 'target bar']);
});

describe('where it is too wide', () => {
  const alone = HEADS.map((head) => `target ${head}`);
  const BY_TWO = ['target one two', 'target three four', 'target five'];
  const inOneGroup = HEADS.map((head) => column('all', head));
  test.each<[string, width: number, Column<Row>[], heads: string[]]>([
    ['splits between groups', 60, COLUMNS, ['target one two three four', 'target five']],
    ['splits between groups', 50, COLUMNS, ['target one two', 'target three four five']],
    ['splits a group that fits nowhere', 25, COLUMNS, alone],
    // Names of 11, and two columns of 9 with their gaps.
    ['fills the first table as the others', 33, inOneGroup, BY_TWO],
  ])('%s, at %d columns', (_, width, columns, heads) => {
    const text = render(width, columns);
    expect(headsOf(text)).toEqual(heads);
    for (const table of text.split('\n\n')) {
      for (const { name } of ROWS) expect(table).toContain(name);
    }
  });

  test('tells rows of one name apart in each table, by their name in lines where they fit only so', () => {
    const rows = [1, 2].map((size) => ({ name: 'a name of eight words, too long by four', size }));
    const where: Column<Row> = words('', 'where', ({ size }) => `at ${size}`);
    const twenty = ['first', 'second'].map((head) => column(head, head.padEnd(20, '.')));
    const table = tableOf(['target', ({ name }) => name], [where, ...twenty], rows);
    const text = renderTable(table, plain(60));
    expect(widest(text)).toBeLessThanOrEqual(60);
    expect(headsOf(text)).toEqual(twenty.map(({ head }) => `target where ${head}`));
    expect(text.split('\n\n')[0]?.split('\n').slice(2)).toEqual([
      expect.stringMatching(/^a name of eight words, too +at 1 +1$/),
      '  long by four',
      expect.stringMatching(/^a name of eight words, too +at 2 +2$/),
      '  long by four',
    ]);
  });

  test('is never wider than the terminal as long as each column fits, and keeps every column', () => {
    const narrowest = Math.max(...COLUMNS.map((each) => widest(render(1, [each]))));
    for (let width = 1; width <= 100; width++) {
      const text = render(width);
      if (width >= narrowest) expect(widest(text)).toBeLessThanOrEqual(width);
      expect(headsOf(text).join(' ').replaceAll('target ', '')).toBe(HEADS.join(' '));
    }
  });

  test('the widest text of a group is broken into lines, unless little room is left for it', () => {
    const said = words<Row>('outcome', 'by', () => `${'measured '.repeat(6)}here`);
    const columns = [words<Row>('outcome', 'outcome', () => 'holds'), said];
    const linesAt = (width: number) => draw(columns, plain(width)).split('\n').slice(2, 4);
    expect(linesAt(62)).toEqual([
      'small        holds    measured measured measured measured',
      '                      measured measured here',
    ]);
    expect(headsOf(draw(columns, plain(50)))).toEqual(['target outcome by']);
    const narrow = draw(columns, plain(49));
    expect(headsOf(narrow)).toEqual(['target outcome', 'target by']);
    expect(widest(narrow)).toBeLessThanOrEqual(49);
  });

  test('names the rows by as many of the first columns as it takes to tell them apart', () => {
    const figures = COLUMNS.map((each) => ({ ...each, cell: () => '123456789' }));
    const columns = [amount<number>('', 'limit', String), ...figures];
    const table = tableOf(['target', () => 'the same'], columns, [1, 2, 3]);
    expect(headsOf(renderTable(table, plain(50)))).toEqual([
      ...['target limit one two', 'target limit three four five'],
    ]);
    // Where they would leave no room for the others, the first has to do.
    expect(headsOf(renderTable(table, plain(22)))).toEqual(['target limit', ...alone]);
  });
});

test.each([
  ['+7.05 ±0.31 µs, × the floor', '+7.05 +-0.31 us, x the floor'],
  ['──── • █░ ▸ … “so” ≤ 1 ÷ 2 – −3', '---- * #. > ... "so" <= 1 / 2 - -3'],
  ['Künstler, café', 'Kunstler, cafe'],
  ['서버', '??'],
  ['plain [0.98, 1.01]', 'plain [0.98, 1.01]'],
])('a text in ASCII: %s', (text, shown) => {
  expect(ascii(text)).toBe(shown);
});

test.each([
  [{}, true],
  [{ TERM: 'xterm', LANG: 'C.UTF-8' }, true],
  [{ LANG: 'de_DE.utf8' }, true],
  [{ LANG: 'C' }, false],
  [{ LANG: 'C.UTF-8', LC_ALL: 'POSIX' }, false],
  [{ TERM: 'dumb', LANG: 'C.UTF-8' }, false],
])('more than ASCII is shown with %o: %s', (environment, shown) => {
  expect(showsUnicode(environment)).toBe(shown);
});

const TEXT = 'The quick brown fox jumps over the lazy dog, and an incomprehensibility follows.';

test.each([
  // Between words, at the last that fits.
  ['one two three four', 9, 'one two\nthree\nfour'],
  ['one two three', 7, 'one two\nthree'],
  // As it is where it fits.
  [TEXT, TEXT.length, TEXT],
  ['', 10, ''],
  // Not between a figure and its interval or its unit, nor around an equals sign.
  ['is 0.60 [0.58, 0.61] (CPU)', 14, 'is\n0.60 [0.58, 0.61]\n(CPU)'],
  ['takes 25 % of it', 8, 'takes\n25 % of\nit'],
  ['after 10 s.', 8, 'after\n10 s.'],
  ['at 9.98 ms, or 3 µs', 11, 'at 9.98 ms,\nor 3 µs'],
  ['take max = 4 now', 8, 'take\nmax = 4\nnow'],
  ['a server so', 8, 'a server\nso'],
])('%j is broken at %d columns', (text, width, lines) => {
  expect(wrap(text, width)).toBe(lines);
});

test('every word is kept, and every line is within the width unless it is one word', () => {
  for (let width = 1; width <= 100; width++) {
    const lines = wrap(TEXT, width).split('\n');
    expect(lines.join(' ')).toBe(TEXT);
    expect(lines.filter((line) => line === '')).toEqual([]);
    expect(lines.filter((line) => line.includes(' ') && line.length > width)).toEqual([]);
  }
});
