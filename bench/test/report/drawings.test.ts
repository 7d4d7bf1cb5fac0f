import { expect, test } from 'vitest';
import type { Estimate } from '../../src/math/statistics.ts';
import { type Column, type Drawing, tableOf } from '../../src/report/document.ts';
import { dotColumn, intervals, partColumns } from '../../src/report/drawings.ts';
import { renderDrawing } from '../../src/report/html/table.ts';
import { section } from '../../src/report/section.ts';
import { drawingText } from '../../src/report/terminal/table.ts';
import { renderMarkdown } from '../../src/report/text.ts';
import { interval } from '../support/make-record.ts';

function drawnBy<Row>({ cell: cellOf }: Column<Row>, rows: Row[]): Drawing[] {
  return rows.map((row) => {
    const cell = cellOf(row);
    if (cell === null || typeof cell !== 'object' || !('spans' in cell)) throw new Error('a text');
    return cell;
  });
}

test('an interval is drawn full up to the least that the value can be, and shaded up to the most', () => {
  const rows: Estimate[] = [interval(10, 7, 14), interval(3, 0, 7), { kind: 'point', value: 14 }];
  const drawings = drawnBy(
    intervals('values', '', rows, (row) => row),
    rows,
  );
  expect(drawings.map(drawingText)).toEqual(['███████▒▒▒▒▒▒▒', '▒▒▒▒▒▒▒', '█'.repeat(14)]);
  expect(drawings[0] && renderDrawing(drawings[0], []).text).toMatch(
    /x="0\.0" width="56\.0".*x="56\.0" width="56\.0"/,
  );
});

test('several dots at one place are their number', () => {
  const values = [1, 2, 2, 3];
  const [drawing] = drawnBy(dotColumn('', String), [{ values, all: values }]);
  expect(drawing && drawingText(drawing).replaceAll(' ', '')).toBe('•2•');
  expect(drawing?.text).toBe('1, 2, 2, 3');
});

test('parts are drawn one after the other; Markdown omits drawings that repeat other cells', () => {
  const parts = [
    { name: 'x', value: 1 },
    { name: 'y', value: 3 },
  ];
  const rows = [{ name: 'a', parts }];
  const columns = partColumns(rows, String, () => '4');
  const table = tableOf(['of', ({ name }) => name], columns, rows);
  const spans = [
    { from: 0, to: 0.25, look: { series: 'x' } },
    { from: 0.25, to: 1, look: { series: 'y' } },
  ];
  expect(table.rows[0]?.at(-1)).toMatchObject({ spans });
  const document = { title: '', intro: [], warnings: [], foot: [] };
  const text = renderMarkdown({ ...document, sections: [section('', [table])] });
  expect(text).toContain('| of | x | y | together |\n');
});
