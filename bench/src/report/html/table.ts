import type { Drawing, Span, Table, Text } from '../document.ts';
import { headText } from '../tables.ts';
import { html, type Markup } from './markup.ts';

/** Text of more characters than this is broken into lines. */
const LONGEST_LINE = 30;

/** A table that scrolls sideways, by keyboard too; `name` is for readers who do not see it. */
export function renderTable({ columns, rows }: Table, name: string): Markup {
  const heads = columns.map(({ head, align, group }, index) => {
    const isNewGroup = index > 0 && columns[index - 1]?.group !== group;
    return html`<th scope="col" class="${align}${isNewGroup && ' group'}">${headText(head)}</th>`;
  });
  const series = seriesOf(rows);
  const body = rows.map((row) => {
    const cells = row.map((cell, index) => {
      const content = renderCell(cell, series);
      if (index === 0) return html`<th scope="row" class="left">${content}</th>`;
      const isLong = typeof cell === 'string' && cell.length > LONGEST_LINE;
      return html`<td class="${columns[index]?.align ?? 'left'}${isLong && ' long'}">${content}</td>`;
    });
    return html`<tr>${cells}</tr>\n`;
  });
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${name}"><table>
<thead><tr>${heads}</tr></thead>
<tbody>
${body}</tbody>
</table></div>${seriesKey(series)}`;
}

/** The colour of each series, where there are several. */
export function seriesKey(names: readonly string[]): Markup {
  const items = names.map((name, index) => {
    return html`<span><svg class="swatch" aria-hidden="true"><rect class="fill s${index % 8}" width="100%" height="100%"/></svg> ${name}</span> `;
  });
  return html`${names.length > 1 && html`<p class="key">${items}</p>`}`;
}

function renderCell(cell: Text, series: readonly string[]): Markup {
  if (typeof cell === 'string') return html`${cell}`;
  if ('spans' in cell) return renderDrawing(cell, series);
  return cell.emphasis === 'struck'
    ? html`<s>${cell.text}</s>`
    : html`<strong class="warn">${cell.text}</strong>`;
}

function seriesOf(rows: readonly Text[][]): string[] {
  const spans = rows.flat().flatMap((cell) => {
    return typeof cell === 'object' && 'spans' in cell ? cell.spans : [];
  });
  return [...new Set(spans.flatMap(({ look }) => (typeof look === 'object' ? look.series : [])))];
}

/** Of a drawing, px. */
const CHARACTER_WIDTH = 8;
const HEIGHT = 10;

/** A drawing, hidden from readers who do not see it; its colours are in the order of these series. */
export function renderDrawing({ width, spans, text }: Drawing, series: readonly string[]): Markup {
  const length = width * CHARACTER_WIDTH;
  const title = text !== '' && html`<title>${text}</title>`;
  return html`<svg class="bar" width="${length}" height="${HEIGHT}" aria-hidden="true">${title}${spans.map((span) => renderSpan(span, length, series))}</svg>`;
}

function renderSpan({ from, to, look }: Span, length: number, series: readonly string[]): Markup {
  const at = (share: number) => (share * length).toFixed(1);
  // The ends of the line have room for half a dot.
  const middle = (4 + from * (length - 8)).toFixed(1);
  const size = html`x="${at(from)}" width="${at(to - from)}" height="${HEIGHT}"`;
  switch (look) {
    case 'at least':
      return html`<rect ${size}/>`;
    case 'at most':
      return html`<rect ${size} opacity="0.35"/>`;
    case 'dot':
    case 'mark':
      return html`<circle class="${look === 'dot' ? 'dot' : 'other'}" cx="${middle}" cy="${HEIGHT / 2}" r="4"/>`;
    default:
      return html`<rect class="fill s${series.indexOf(look.series) % 8}" ${size}><title>${look.series}</title></rect>`;
  }
}
