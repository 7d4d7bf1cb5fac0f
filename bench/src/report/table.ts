import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';

/** A column of figures; columns of the same group stay together where a table has to be split. */
export interface Column<Row> {
  group: string;
  /** May hold a line break. */
  head: string;
  cell: (row: Row) => string;
  /** Figures go to the right, texts to the left. */
  text?: true;
}

/** How text may look where it is going. */
export interface Look {
  /** Columns of the terminal. */
  width: number;
  bold: (text: string) => string;
  dim: (text: string) => string;
  warn: (text: string) => string;
  /** Of figures that say something else than they seem to. */
  strike: (text: string) => string;
}

const GAP = 2;

/**
 * A table whose first column names the row. Where it is wider than the terminal it becomes several
 * tables, each with the names, split between groups where that is possible.
 */
export function renderTable<Row>(
  name: { head: string; cell: (row: Row) => string },
  columns: Column<Row>[],
  rows: Row[],
  look: Look,
): string {
  const first: Column<Row> = { group: '', text: true, ...name };
  const room = look.width - widthOf(first, rows);
  return split(columns, rows, room)
    .map((part) => draw([first, ...part], rows, look))
    .join('\n\n');
}

function split<Row>(columns: Column<Row>[], rows: Row[], room: number): Column<Row>[][] {
  const parts: Column<Row>[][] = [];
  let part: Column<Row>[] = [];
  let left = room;
  const place = (block: Column<Row>[], width: number) => {
    if (part.length > 0 && width > left) {
      parts.push(part);
      part = [];
      left = room;
    }
    part.push(...block);
    left -= width;
  };
  for (const block of Map.groupBy(columns, ({ group }) => group).values()) {
    const widths = block.map((column) => GAP + widthOf(column, rows));
    const width = widths.reduce((sum, each) => sum + each, 0);
    if (width <= room) {
      place(block, width);
      continue;
    }
    // A group that is too wide for any table starts one of its own.
    if (part.length > 0) left = 0;
    for (const [index, column] of block.entries()) place([column], widths[index] ?? 0);
  }
  return [...parts, part];
}

function widthOf<Row>(column: Column<Row>, rows: Row[]): number {
  const texts = [column.head, ...rows.map(column.cell)].flatMap((text) => text.split('\n'));
  return Math.max(...texts.map((text) => stripVTControlCharacters(text).length));
}

function draw<Row>(columns: Column<Row>[], rows: Row[], look: Look): string {
  const bolded = (text: string) => text.split('\n').map(look.bold).join('\n');
  const table = new Table({
    head: columns.map(({ head }) => bolded(head)),
    colAligns: columns.map(({ text }) => (text ? 'left' : 'right')),
    chars: {
      ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
      ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
      ...{ left: '', right: '', middle: ' '.repeat(GAP) },
      ...{ mid: '─', 'mid-mid': '─'.repeat(GAP), 'left-mid': '', 'right-mid': '' },
    },
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 },
  });
  table.push(...rows.map((row) => columns.map(({ cell }) => cell(row))));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
