import type { Bar, Table, TableColumn, Text } from '../document.ts';
import { headText } from '../tabulate.ts';
import { html, type Markup } from './markup.ts';

/** A table that can be scrolled sideways, by keyboard too; what it is called, for those who do not see it. */
export function renderTable({ columns, rows }: Table, name: string): Markup {
  const heads = columns.map(({ head, align }, index) => {
    const text = headText(head);
    const group = index > 0 && columns[index - 1]?.group !== columns[index]?.group;
    return html`<th scope="col" class="${classOf(align, group)}">${text}</th>`;
  });
  const body = rows.map((row) => {
    const cells = row.map((cell, index) => {
      const align = columns[index]?.align ?? 'left';
      return index === 0
        ? html`<th scope="row" class="left">${textOf(cell)}</th>`
        : html`<td class="${align}">${textOf(cell)}</td>`;
    });
    return html`<tr>${cells}</tr>
`;
  });
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${name}"><table>
<thead><tr>${heads}</tr></thead>
<tbody>
${body}</tbody>
</table></div>`;
}

function textOf(cell: Text): Markup {
  if (typeof cell === 'string') return html`${cell}`;
  if ('most' in cell) return barOf(cell);
  return cell.emphasis === 'struck'
    ? html`<s>${cell.text}</s>`
    : html`<strong class="warn">${cell.text}</strong>`;
}

const BAR = { width: 120, height: 10 };

/** Full up to where the value is at least, and lighter up to where it is at most; its figures stand beside it. */
function barOf({ low, high, most }: Bar): Markup {
  const { width, height } = BAR;
  const at = (value: number) => (most > 0 ? (Math.max(0, value) / most) * width : 0).toFixed(1);
  return html`<svg class="bar" width="${width}" height="${height}" aria-hidden="true"><rect width="${at(high)}" height="${height}" opacity="0.35"/><rect width="${at(low)}" height="${height}"/></svg>`;
}

function classOf(align: TableColumn['align'], isNewGroup: boolean): string {
  return isNewGroup ? `${align} group` : align;
}
