import type { IntervalRow, Intervals } from '../document.ts';
import { html, type Markup, when } from './markup.ts';
import { type Scale, scaleOf } from './scale.ts';

/** Across the middle of a row, in per cent of its width. */
export const ACROSS = { from: 2, to: 98, count: 5, gap: 11 };

/** A row for each value: its name, where it is, and its text. */
export function renderIntervals(chart: Intervals): Markup {
  const { axis, band, rows, other } = chart;
  const scale = scaleOf(axis, valuesOf(chart), ACROSS);
  const behind = band === null ? html`` : bandOf(scale.place(band.low), scale.place(band.high));
  const grid = html`${behind}${gridOf(scale)}${originOf(axis.origin, scale)}`;
  return html`<div class="rows">
${axisRow(axis.label, scale)}
${rows.map((row) => renderRow(row, scale, grid))}
</div>
${when(other !== null || band !== null, () => html`<p class="key">${keyOf(chart)}</p>`)}`;
}

/** The head of the rows: what they are of, and the scale's values. */
export function axisRow(label: string, { ticks }: Scale): Markup {
  const texts = ticks.map(({ place, text }) => {
    return html`<text x="${place}%" y="15" text-anchor="${anchorOf(place)}">${text}</text>`;
  });
  return html`<div class="row axis"><span class="name"></span><svg aria-hidden="true" height="20">${texts}</svg><span class="value">${label}</span></div>`;
}

/** Where a text is held, so that the last one does not stand out on the right. */
export function anchorOf(place: number): 'middle' | 'end' {
  return place > 94 ? 'end' : 'middle';
}

/** A line for each named value. */
export function gridOf({ ticks }: Scale): Markup {
  const lines = ticks.map(({ place }) => {
    return html`<line class="grid" x1="${place}%" x2="${place}%" y2="100%"/>`;
  });
  return html`${lines}`;
}

/** The value that stands out, where there is one. */
export function originOf(origin: number | null, { place }: Scale): Markup {
  if (origin === null) return html``;
  const x = place(origin);
  return html`<line class="origin" x1="${x}%" x2="${x}%" y2="100%"/>`;
}

function bandOf(low: number, high: number): Markup {
  return html`<rect class="band" x="${low}%" width="${(high - low).toFixed(2)}%" height="100%"/>`;
}

function renderRow({ name, estimate, text, other }: IntervalRow, scale: Scale, grid: Markup) {
  const middle = '50%';
  const bar =
    estimate.kind === 'interval'
      ? html`<line class="interval" x1="${scale.place(estimate.low)}%" x2="${scale.place(estimate.high)}%" y1="${middle}" y2="${middle}"/>`
      : html``;
  const dot =
    estimate.kind === 'none'
      ? html``
      : html`<circle class="dot" cx="${scale.place(estimate.value)}%" cy="${middle}" r="4"/>`;
  const mark =
    other === null
      ? html``
      : html`<circle class="other" cx="${scale.place(other.value)}%" cy="${middle}" r="4"/>`;
  return html`<div class="row"><span class="name">${name}</span><span class="strip"><svg aria-hidden="true">${grid}${bar}${mark}${dot}</svg></span><span class="value">${text}</span></div>
`;
}

function valuesOf({ rows, band }: Intervals): number[] {
  const ends = rows.flatMap(({ estimate, other }) => {
    const known = estimate.kind === 'interval' ? [estimate.low, estimate.high] : [];
    const value = estimate.kind === 'none' ? [] : [estimate.value];
    return [...known, ...value, ...(other ? [other.value] : [])];
  });
  return band ? [...ends, band.low, band.high] : ends;
}

function keyOf({ other, band }: Intervals): Markup {
  const dot = html`<svg class="swatch" aria-hidden="true"><circle class="dot" cx="50%" cy="50%" r="4"/></svg> measured`;
  const hollow =
    other === null
      ? html``
      : html`<span>${dot}</span> <span><svg class="swatch" aria-hidden="true"><circle class="other" cx="50%" cy="50%" r="4"/></svg> ${other}</span> `;
  const wide =
    band === null
      ? html``
      : html`<span><svg class="swatch" aria-hidden="true"><rect class="band" width="100%" height="100%"/></svg> ${band.text}</span>`;
  return html`${hollow}${wide}`;
}
