import { stripVTControlCharacters } from 'node:util';
import type { Drawing, TableColumn, Table as TableData, Text } from '../document.ts';
import { withoutColumns } from '../tables.ts';
import { type Look, wrap } from './look.ts';

interface Column extends Pick<TableColumn, 'group' | 'align'> {
  head: string;
  /** Whether its cells may be broken into lines. */
  isText: boolean;
  cells: string[];
}

const GAP = 2;
/** Of all lines of a name but the first. */
const INDENT = 2;
/** Narrower than this, text is not broken into lines. */
const TEXT_WIDTH = 28;

/** Where it is wider than the terminal, its drawings are half as long, or else it is split into several tables. */
export function renderTable(table: TableData, look: Look): string {
  const { columns, rows } = withoutColumns(table, ({ onPage }) => onPage === true);
  const drawnAt = (scale: number) => {
    return columns.map(({ group, head, align }, index): Column => {
      const lines = look.text(head).split('\n');
      const cells = rows.map((row) => cellText(row[index] ?? '', look, scale));
      const isText = align === 'left' && rows.every((row) => typeof row[index] === 'string');
      return { group, head: lines.map(look.bold).join('\n'), align, isText, cells };
    });
  };
  const full = drawnAt(1);
  const drawn = [full, drawnAt(0.5)].find((each) => widthOfAll(each) - GAP <= look.width) ?? full;
  const names = namesOf(drawn, look.width);
  return split(drawn.slice(names.length), look.width - widthOfAll(names) + GAP)
    .map((part) => draw([...names, ...part], look))
    .join('\n\n');
}

/** The first columns that tell all rows apart, in lines if need be; the first alone if they are still too wide. */
function namesOf(columns: Column[], width: number): Column[] {
  const isEnough = (_: Column, place: number) => {
    const labels = rowsOf(columns.slice(0, place + 1)).map((cells) => cells.join('\n'));
    return new Set(labels).size === labels.length;
  };
  const naming = columns.findIndex(isEnough) + 1;
  const room = width - Math.max(0, ...columns.slice(naming).map(widthOf));
  const names = columns.slice(0, naming);
  const fitting = widthOfAll(names) <= room ? names : indented(narrowed(names, room - INDENT));
  return naming > 0 && widthOfAll(fitting) <= room ? fitting : columns.slice(0, 1);
}

/** The same with all lines of a cell but the first indented, so that they do not look like rows. */
function indented(columns: Column[]): Column[] {
  const indent = `\n${' '.repeat(INDENT)}`;
  return columns.map((column) => {
    return { ...column, cells: column.cells.map((cell) => cell.replaceAll('\n', indent)) };
  });
}

function rowsOf(columns: Column[]): string[][] {
  const [first] = columns;
  return first?.cells.map((_, row) => columns.map(({ cells }) => cells[row] ?? '')) ?? [];
}

function cellText(cell: Text, look: Look, scale: number): string {
  if (typeof cell === 'string') return look.text(cell);
  if ('spans' in cell) {
    return look.text(drawingText({ ...cell, width: Math.round(cell.width * scale) }));
  }
  return { warn: look.warn, struck: look.strike }[cell.emphasis](look.text(cell.text));
}

/** Between groups, if possible. One that is too wide for any table is itself split, and starts one of its own. */
function split(columns: Column[], room: number): Column[][] {
  const units = [...Map.groupBy(columns, ({ group }) => group).values()].flatMap((group) => {
    const unit = narrowed(group, room);
    if (widthOfAll(unit) <= room) return [{ unit, isStart: false }];
    return group.map((column, index) => {
      return { unit: narrowed([column], room), isStart: index === 0 };
    });
  });
  const parts: Column[][] = [[]];
  for (const { unit, isStart } of units) {
    const part = parts.at(-1) ?? [];
    const isFull = isStart || widthOfAll([...part, ...unit]) > room;
    if (part.length > 0 && isFull) parts.push(unit);
    else part.push(...unit);
  }
  return parts;
}

/** These columns, with the widest text broken into lines where they do not fit otherwise and enough room is left for it. */
function narrowed(columns: Column[], room: number): Column[] {
  const texts = columns.filter(({ isText }) => isText);
  const [widest] = texts.toSorted((a, b) => widthOf(b) - widthOf(a));
  if (widest === undefined) return columns;
  const left = room - widthOfAll(columns.filter((column) => column !== widest)) - GAP;
  if (left < TEXT_WIDTH || left >= widthOf(widest)) return columns;
  const cells = widest.cells.map((cell) => wrap(cell, left));
  return columns.map((column) => (column === widest ? { ...widest, cells } : column));
}

/** With the gaps beside them. */
function widthOfAll(columns: Column[]): number {
  return columns.reduce((sum, column) => sum + GAP + widthOf(column), 0);
}

function widthOf({ head, cells }: Column): number {
  const lines = [head, ...cells].flatMap((text) => text.split('\n'));
  return Math.max(1, ...lines.map(lengthOf));
}

function lengthOf(text: string): number {
  return stripVTControlCharacters(text).length;
}

function draw(columns: Column[], look: Look): string {
  const widths = columns.map(widthOf);
  const linesOf = (texts: string[]) => {
    const cells = texts.map((text) => text.split('\n'));
    const height = Math.max(...cells.map(({ length }) => length));
    return Array.from({ length: height }, (_, at) => {
      const line = columns.map((column, index) => {
        const text = cells[index]?.[at] ?? '';
        const space = ' '.repeat((widths[index] ?? 0) - lengthOf(text));
        return column.align === 'right' ? `${space}${text}` : `${text}${space}`;
      });
      return line.join(' '.repeat(GAP)).trimEnd();
    });
  };
  return [
    ...linesOf(columns.map(({ head }) => head)),
    look.text('─').repeat(widthOfAll(columns) - GAP),
    ...rowsOf(columns).flatMap(linesOf),
  ].join('\n');
}

/** A drawing as a line of characters; several dots in one place are their number. */
export function drawingText({ width, spans }: Drawing): string {
  const signs: string[] = [];
  const draw = (from: number, to: number, sign: string) => {
    for (let place = from; place < to; place++) signs[place] ??= sign;
  };
  for (const { from, to, look } of spans) {
    const [start, end] = [Math.round(from * width), Math.round(to * width)];
    if (look === 'at least') draw(start, end, '█');
    if (look === 'at most') draw(start, end, '▒');
  }
  const dots = spans.filter(({ look }) => look === 'dot');
  for (const [place, those] of Map.groupBy(dots, ({ from }) => Math.round(from * (width - 1)))) {
    signs[place] = those.length === 1 ? '•' : String(those.length);
  }
  return Array.from(signs, (sign) => sign ?? ' ').join('');
}
