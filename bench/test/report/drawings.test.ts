import { describe, expect, test } from 'vitest';
import type { Estimate } from '../../src/math/statistics.ts';
import { dotColumn, intervalColumn, partColumns } from '../../src/report/drawings.ts';
import { renderDrawing } from '../../src/report/html/drawing.ts';
import { renderMarkdown } from '../../src/report/markdown.ts';
import { section } from '../../src/report/section.ts';
import { tableOf } from '../../src/report/tabulate.ts';
import { drawingText } from '../../src/report/terminal/drawing.ts';
import { interval } from '../support/make-record.ts';

function drawnOf(rows: Estimate[], scale: 'linear' | 'log', base: number) {
  const column = intervalColumn<Estimate>('', '', { ...{ rows, scale, base }, of: (row) => row });
  return rows.map((row) => {
    const cell = column.cell(row);
    if (cell === null || typeof cell !== 'object' || !('spans' in cell)) throw new Error('a text');
    return cell;
  });
}

describe('an interval is drawn', () => {
  test('full up to where the value is at least, and shaded up to where it is at most', () => {
    const drawn = drawnOf([interval(10, 7, 14), interval(3, 0, 7)], 'linear', 0);
    expect(drawn.map(drawingText)).toEqual(['███████▒▒▒▒▒▒▒', '▒▒▒▒▒▒▒']);
  });

  test('as far as what is only one value, and not at all where there is none', () => {
    const drawn = drawnOf([{ kind: 'point', value: 14 }, { kind: 'none' }], 'linear', 0);
    expect(drawn.map(drawingText)).toEqual(['█'.repeat(14), '']);
  });

  test('from where it makes no difference, to both sides', () => {
    const [less, more] = drawnOf([interval(0.1, 0.1, 0.1), interval(10, 10, 10)], 'log', 1);
    expect(less?.spans[0]).toMatchObject({ from: 0, to: expect.closeTo(0.5), look: 'at least' });
    expect(more?.spans[0]).toMatchObject({ from: expect.closeTo(0.5), to: 1, look: 'at least' });
  });

  test('on a page in the same places', () => {
    const [drawing] = drawnOf([interval(10, 7, 14)], 'linear', 0);
    const { text } = drawing ? renderDrawing(drawing, []) : { text: '' };
    expect(text).toContain('x="0.0" width="56.0"');
    expect(text).toContain('x="56.0" width="56.0"');
  });
});

test('several dots at one place are their number', () => {
  const values = [1, 2, 2, 3];
  const column = dotColumn<number[]>(
    '',
    (row) => row,
    (row) => row,
    String,
  );
  const cell = column.cell(values);
  if (cell === null || typeof cell !== 'object' || !('spans' in cell)) throw new Error('a text');
  expect(drawingText(cell).replaceAll(' ', '')).toBe('•2•');
  expect(cell.text).toBe('1, 2, 2, 3');
});

test('parts stand one after the other, and what shows nothing new is left out of Markdown', () => {
  const part = (name: string, value: number) => ({ name, value, text: String(value) });
  const rows = [{ name: 'a', parts: [part('x', 1), part('y', 3)], text: '4' }];
  const table = tableOf(['of', ({ name }) => name], partColumns(rows), rows);
  expect(table.rows[0]?.at(-1)).toMatchObject({
    spans: [
      { from: 0, to: 0.25, look: { series: 'x' } },
      { from: 0.25, to: 1, look: { series: 'y' } },
    ],
  });
  const head = { title: '', intro: [], warnings: [], foot: [] };
  expect(renderMarkdown({ ...head, sections: [section('', [table])] })).toContain(
    '| of | x | y | together |\n',
  );
});
