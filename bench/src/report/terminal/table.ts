import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';
import type { TableColumn, Table as TableData, Text } from '../document.ts';
import { withoutColumns } from '../tabulate.ts';
import { drawingText } from './drawing.ts';
import type { Look } from './look.ts';
import { wrap } from './wrap.ts';

/** A column as it is drawn. */
interface Column {
  group: string;
  head: string;
  align: 'left' | 'right';
  cells: string[];
}

const GAP = 2;
/** Of a head that may be broken. */
const NAME_WIDTH = 9;

/**
 * A table; where it is wider than the terminal it becomes several, each with what names the rows, split between
 * groups where that is possible.
 */
export function renderTable(table: TableData, look: Look): string {
  const { columns, rows } = withoutColumns(table, ({ onPage }) => onPage === true);
  const drawn = columns.map(({ group, head, align }, index): Column => {
    const cells = rows.map((row) => cellText(row[index] ?? '', look));
    return { group, head: look.text(headText(head)), align, cells };
  });
  const naming = namingColumns(drawn, look.width);
  const names = drawn.slice(0, naming);
  return split(drawn.slice(naming), look.width - widthOfAll(names) + GAP)
    .map((part) => draw([...names, ...part], look))
    .join('\n\n');
}

/**
 * How many of the first columns name a row: as many as it takes to tell all rows apart, as long as there is room for
 * each of the others beside them; the first alone otherwise.
 */
function namingColumns(columns: Column[], width: number): number {
  const rows = columns[0]?.cells.map((_, row) => row) ?? [];
  for (let naming = 1; naming < columns.length; naming++) {
    const names = columns.slice(0, naming);
    const others = columns.slice(naming).map((column) => widthOfAll([...names, column]) - GAP);
    if (Math.max(...others) > width) return 1;
    const told = rows.map((row) => names.map(({ cells }) => cells[row] ?? '').join('\n'));
    if (new Set(told).size === told.length) return naming;
  }
  return 1;
}

function headText(head: TableColumn['head']): string {
  return typeof head === 'string' ? head : wrap(head.name, NAME_WIDTH);
}

function cellText(cell: Text, look: Look): string {
  if (typeof cell === 'string') return look.text(cell);
  if ('spans' in cell) return look.text(drawingText(cell));
  return { warn: look.warn, struck: look.strike }[cell.emphasis](look.text(cell.text));
}

function split(columns: Column[], room: number): Column[][] {
  const parts: Column[][] = [];
  let part: Column[] = [];
  let left = room;
  const place = (block: Column[], width: number) => {
    if (part.length > 0 && width > left) {
      parts.push(part);
      part = [];
      left = room;
    }
    part.push(...block);
    left -= width;
  };
  for (const block of Map.groupBy(columns, ({ group }) => group).values()) {
    const width = widthOfAll(block);
    if (width <= room) {
      place(block, width);
      continue;
    }
    // A group that is too wide for any table starts one of its own.
    if (part.length > 0) left = 0;
    for (const column of block) place([column], widthOfAll([column]));
  }
  return [...parts, part];
}

/** With the gaps beside them. */
function widthOfAll(columns: Column[]): number {
  return columns.reduce((sum, column) => sum + GAP + widthOf(column), 0);
}

function widthOf({ head, cells }: Column): number {
  const lines = [head, ...cells].flatMap((text) => text.split('\n'));
  // No column is drawn without any.
  return Math.max(1, ...lines.map((line) => stripVTControlCharacters(line).length));
}

function draw(columns: Column[], look: Look): string {
  const table = new Table({
    head: columns.map(({ head }) => head.split('\n').map(look.bold).join('\n')),
    colAligns: columns.map(({ align }) => align),
    chars: {
      ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
      ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
      ...{ left: '', right: '', middle: ' '.repeat(GAP) },
      ...{
        mid: look.text('─'),
        'mid-mid': look.text('─').repeat(GAP),
        'left-mid': '',
        'right-mid': '',
      },
    },
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 },
  });
  const names = columns[0]?.cells ?? [];
  table.push(...names.map((_, row) => columns.map(({ cells }) => cells[row] ?? '')));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
