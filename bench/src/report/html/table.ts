import type { Table, TableColumn, Text } from '../document.ts';
import { headText } from '../tabulate.ts';
import { renderDrawing } from './drawing.ts';
import { html, type Markup } from './markup.ts';
import { seriesKey } from './series-key.ts';

/** A table that can be scrolled sideways, by keyboard too; what it is called, for those who do not see it. */
export function renderTable({ columns, rows }: Table, name: string): Markup {
  const heads = columns.map(({ head, align }, index) => {
    const text = headText(head);
    const group = index > 0 && columns[index - 1]?.group !== columns[index]?.group;
    return html`<th scope="col" class="${classOf(align, group)}">${text}</th>`;
  });
  const series = seriesOf(rows);
  const body = rows.map((row) => {
    const cells = row.map((cell, index) => {
      const align = columns[index]?.align ?? 'left';
      return index === 0
        ? html`<th scope="row" class="left">${textOf(cell, series)}</th>`
        : html`<td class="${align}">${textOf(cell, series)}</td>`;
    });
    return html`<tr>${cells}</tr>
`;
  });
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${name}"><table>
<thead><tr>${heads}</tr></thead>
<tbody>
${body}</tbody>
</table></div>${seriesKey(series)}`;
}

function textOf(cell: Text, series: readonly string[]): Markup {
  if (typeof cell === 'string') return html`${cell}`;
  if ('spans' in cell) return renderDrawing(cell, series);
  return cell.emphasis === 'struck'
    ? html`<s>${cell.text}</s>`
    : html`<strong class="warn">${cell.text}</strong>`;
}

/** Of what the drawings of a table have a colour each. */
function seriesOf(rows: readonly Text[][]): string[] {
  const looks = rows.flat().flatMap((cell) => {
    return typeof cell === 'object' && 'spans' in cell ? cell.spans.map(({ look }) => look) : [];
  });
  return [...new Set(looks.flatMap((look) => (typeof look === 'object' ? look.series : [])))];
}

function classOf(align: TableColumn['align'], isNewGroup: boolean): string {
  return isNewGroup ? `${align} group` : align;
}
