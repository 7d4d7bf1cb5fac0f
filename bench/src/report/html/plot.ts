import { line } from 'd3-shape';
import type { Panel, Plot, Point, Series } from '../document.ts';
import { html, type Markup, when } from './markup.ts';
import { type Scale, scaleOf } from './scale.ts';
import { seriesKey } from './series-key.ts';

/** Heights of a panel, px: of one alone, and of one among several. */
const TALL = 240;
const LOW = 84;
/** Room above and below the values of a panel, px. */
const EDGE = 10;
/** Across a panel, in per cent of its width. */
const ACROSS = { from: 1.5, to: 98.5, count: 6, gap: 12 };
/** A line is drawn on this many units, and stretched to the width of the page. */
const UNITS = 1000;
/** With more points than this a panel does not tell each of them. */
const MOST_TOLD = 60;

/** Panels above each other, over one axis. */
export function renderPlot({ x, y, panels, joined, title, description }: Plot): Markup {
  const points = panels.flatMap(pointsOf);
  const marks = panels.flatMap(({ series }) => series.flatMap(({ mark }) => (mark ? mark.x : [])));
  const across = scaleOf(x, [...points.map((point) => point.x), ...marks], ACROSS);
  const names = [...new Set(panels.flatMap(({ series }) => series.map(({ name }) => name)))];
  const height = panels.length === 1 ? TALL : LOW;
  const drawn = panels.map((panel) => {
    const values = pointsOf(panel).map((point) => point.y);
    const above = panel.unknownAbove === null ? [] : [panel.unknownAbove.value];
    const up = scaleOf(y, [...values, ...above], {
      from: height - EDGE,
      to: EDGE,
      count: height === TALL ? 5 : 2,
      gap: 15,
    });
    const told = `${title}${panel.title === '' ? '' : `: ${panel.title}`}`;
    return html`${when(panels.length > 1, () => html`<p class="panel">${panel.title}</p>`)}<div class="plot"><svg class="ticks" aria-hidden="true" height="${height}">${up.ticks.map(
      ({ place, text }) => html`<text x="100%" y="${place}" dy="0.32em">${text}</text>`,
    )}</svg><svg role="img" height="${height}"><title>${told}</title><desc>${description}</desc>${gridOf(across, up)}${renderPanel(panel, { across, up, names, joined, height })}</svg></div>
`;
  });
  return html`<p class="panel">${y.label}</p>
${drawn}<div class="plot"><span></span><svg class="below" aria-hidden="true" height="20">${across.ticks.map(
    ({ place, text }) =>
      html`<text x="${place}%" y="14" text-anchor="${anchorOf(place)}">${text}</text>`,
  )}</svg></div>
<p class="panel below">${x.label}</p>
${seriesKey(names)}`;
}

interface Drawing {
  across: Scale;
  up: Scale;
  names: readonly string[];
  joined: boolean;
  height: number;
}

function renderPanel({ series, unknownAbove }: Panel, drawing: Drawing): Markup {
  const hatch =
    unknownAbove === null
      ? html``
      : html`<rect class="unknown" width="100%" height="${drawing.up.place(unknownAbove.value)}"/><text x="99%" y="${drawing.up.place(unknownAbove.value) - 4}" text-anchor="end">${unknownAbove.text}</text>`;
  const isTold = series.reduce((sum, { points }) => sum + points.length, 0) <= MOST_TOLD;
  return html`${hatch}${series.map((each) => renderSeries(each, isTold, drawing))}`;
}

function renderSeries(
  { name, points, mark }: Series,
  isTold: boolean,
  { across, up, names, joined, height }: Drawing,
): Markup {
  const colour = `s${names.indexOf(name) % 8}`;
  const path = line<Point>(
    (point) => Math.round(across.place(point.x) * (UNITS / 100)),
    (point) => up.place(point.y),
  )(points);
  const stroke =
    joined && path !== null
      ? html`<svg width="100%" height="${height}" viewBox="0 0 ${UNITS} ${height}" preserveAspectRatio="none"><path class="line ${colour}" d="${path}"/></svg>`
      : html``;
  const dots = points.map((point) => {
    const place = html`cx="${across.place(point.x)}%" cy="${up.place(point.y)}"`;
    return isTold
      ? html`<circle class="fill ${colour}" ${place} r="3.5"><title>${name}, ${point.xText}: ${point.yText}</title></circle>`
      : html`<circle class="fill ${colour}" ${place} r="2"/>`;
  });
  const at = mark === null ? null : across.place(mark.x);
  const knee =
    mark === null || at === null
      ? html``
      : html`<line class="mark ${colour}" x1="${at}%" x2="${at}%" y2="100%"><title>${mark.text}</title></line>`;
  return html`${knee}${stroke}${joined && !isTold ? [] : dots}`;
}

function gridOf(across: Scale, up: Scale): Markup {
  const columns = across.ticks.map(({ place }) => {
    return html`<line class="grid" x1="${place}%" x2="${place}%" y2="100%"/>`;
  });
  const rows = up.ticks.map(({ place }) => {
    return html`<line class="grid" x2="100%" y1="${place}" y2="${place}"/>`;
  });
  return html`${columns}${rows}`;
}

/** Where a text is held, so that the last one does not stand out on the right. */
function anchorOf(place: number): 'middle' | 'end' {
  return place > 94 ? 'end' : 'middle';
}

function pointsOf({ series }: Panel): Point[] {
  return series.flatMap(({ points }) => points);
}
