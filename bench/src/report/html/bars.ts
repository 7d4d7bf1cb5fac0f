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
  const bars = rows.map(({ name, parts }) => {
    const texts = parts.map((part) => `${part.name} ${part.text}`).join(', ');
    return html`<div class="row"><span class="name">${name}</span><svg aria-hidden="true" height="26">${gridOf(scale)}${barOf(parts, names, scale)}</svg><span class="value">${texts}</span></div>
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
  const pieces = parts.map(({ name, value }) => {
    const [start, end] = [place(sum), place(sum + value)];
    sum += value;
    return html`<rect class="fill s${names.indexOf(name) % 8}" x="${start}%" y="5" width="${(end - start).toFixed(2)}%" height="16"/>`;
  });
  return html`${pieces}`;
}
