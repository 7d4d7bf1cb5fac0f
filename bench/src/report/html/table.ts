import type { Table, TableColumn, Text } from '../document.ts';
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
  return cell.emphasis === 'struck'
    ? html`<s>${cell.text}</s>`
    : html`<strong class="warn">${cell.text}</strong>`;
}

function classOf(align: TableColumn['align'], isNewGroup: boolean): string {
  return isNewGroup ? `${align} group` : align;
}
