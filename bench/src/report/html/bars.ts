import type { Bars, Part } from '../document.ts';
import { ACROSS, axisRow, gridOf } from './intervals.ts';
import { html, type Markup } from './markup.ts';
import { type Scale, scaleOf } from './scale.ts';
import { seriesKey } from './series-key.ts';

/** A bar for each row, its parts one after the other. */
export function renderBars({ axis, rows }: Bars): Markup {
  const totals = rows.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0));
  const scale = scaleOf({ ...axis, origin: 0 }, totals, ACROSS);
  const names = [...new Set(rows.flatMap(({ parts }) => parts.map(({ name }) => name)))];
  const bars = rows.map(({ name, parts, text }) => {
    return html`<div class="row"><span class="name">${name}</span><span class="strip"><svg aria-hidden="true">${gridOf(scale)}${barOf(parts, names, scale)}</svg></span><span class="value">${text}</span></div>
`;
  });
  return html`<div class="rows bars">
${axisRow(axis.label, scale)}
${bars}
</div>
${seriesKey(names)}`;
}

function barOf(parts: readonly Part[], names: readonly string[], { place }: Scale): Markup {
  let sum = 0;
  const pieces = parts.map(({ name, value, text }) => {
    const [start, end] = [place(sum), place(sum + value)];
    sum += value;
    return html`<rect class="fill s${names.indexOf(name) % 8}" x="${start}%" y="5" width="${(end - start).toFixed(2)}%" height="16"><title>${name} ${text}</title></rect>`;
  });
  return html`${pieces}`;
}
