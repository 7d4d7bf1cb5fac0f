import { scaleLinear, scaleLog } from 'd3-scale';
import { line } from 'd3-shape';
import type { Axis, Panel, Plot, Series } from '../document.ts';
import { type Content, html, type Markup } from './markup.ts';
import { seriesKey } from './table.ts';

/** Heights of a panel, px: of one alone, and of one among several. */
const TALL = 240;
const LOW = 84;
/** Space above and below the values of a panel, px. */
const EDGE = 10;
/** The ends of the x axis, about how many labels it has, and how far apart they are: in per cent of its width. */
const ACROSS = { from: 1.5, to: 98.5, count: 6, gap: 12 };
/** A line is drawn on this many units, and stretched to the width of the page. */
const UNITS = 1000;
/** In a panel with more points than this, points have no label. */
const MOST_LABELLED = 60;

/** Panels one below the other, over one x axis. */
export function renderPlot(plot: Plot): Markup {
  const { x, y, panels } = plot;
  const series = panels.flatMap((panel) => panel.series);
  const places = series.flatMap(({ points, mark }) => [...points, ...(mark ? [mark] : [])]);
  const xValues = places.map((place) => place.x);
  const across = scaleOf(x, xValues, ACROSS);
  const names = [...new Set(series.map(({ name }) => name))];
  const labels = across.ticks.map(({ place, text }) => {
    // The last one must not go beyond the right edge.
    const anchor = place > 94 ? 'end' : 'middle';
    return html`<text x="${place}%" y="14" text-anchor="${anchor}">${text}</text>`;
  });
  return html`<p class="panel">${y.label}</p>
${panels.map((panel) => renderPanel(panel, plot, across, names))}<div class="plot"><span></span><svg class="below" aria-hidden="true" height="20">${labels}</svg></div>
<p class="panel below">${x.label}</p>
${seriesKey(names)}`;
}

/** The scales and the height of a panel, px, and how its points look. */
interface Frame {
  across: Scale;
  up: Scale;
  height: number;
  joined: boolean;
  isLabelled: boolean;
}

function renderPanel(
  { title, series, unknownAbove }: Panel,
  { title: plotTitle, description, panels, y, joined }: Plot,
  across: Scale,
  names: readonly string[],
): Markup {
  const isAlone = panels.length === 1;
  const height = isAlone ? TALL : LOW;
  const points = series.flatMap((each) => each.points);
  const yValues = [...points.map((point) => point.y), unknownAbove?.value ?? Number.NaN];
  const room = { from: height - EDGE, to: EDGE, count: isAlone ? 5 : 2, gap: 15 };
  const up = scaleOf(y, yValues, room);
  const isLabelled = points.length <= MOST_LABELLED;
  const frame = { across, up, height, joined, isLabelled };
  const labels = up.ticks.map(({ place, text }) => {
    return html`<text x="100%" y="${place}" dy="0.32em">${text}</text>`;
  });
  const grid = [
    ...across.ticks.map(
      ({ place: x }) => html`<line class="grid" x1="${x}%" x2="${x}%" y2="100%"/>`,
    ),
    ...up.ticks.map(
      ({ place }) => html`<line class="grid" x2="100%" y1="${place}" y2="${place}"/>`,
    ),
  ];
  const drawn = series.map((each) => renderSeries(each, names.indexOf(each.name) % 8, frame));
  return html`${!isAlone && html`<p class="panel">${title}</p>`}<div class="plot"><svg class="ticks" aria-hidden="true" height="${height}">${labels}</svg><svg role="img" height="${height}"><title>${plotTitle}${title !== '' && `: ${title}`}</title><desc>${description}</desc>${grid}${unknownAbove && renderUnknown(unknownAbove, up)}${drawn}</svg></div>
`;
}

function renderUnknown({ value, text }: NonNullable<Panel['unknownAbove']>, up: Scale): Markup {
  const place = up.place(value);
  return html`<rect class="unknown" width="100%" height="${place}"/><text x="99%" y="${place - 4}" text-anchor="end">${text}</text>`;
}

function renderSeries(
  { name, points, mark }: Series,
  colour: number,
  { across, up, height, joined, isLabelled }: Frame,
): Content {
  const path = line<Series['points'][number]>(
    ({ x }) => Math.round(across.place(x) * (UNITS / 100)),
    ({ y }) => up.place(y),
  )(points);
  const dots = points.map(({ x, y }) => {
    const place = html`cx="${across.place(x)}%" cy="${up.place(y)}"`;
    return isLabelled
      ? html`<circle class="fill s${colour}" ${place} r="3.5"><title>${name}, ${across.text(x)}: ${up.text(y)}</title></circle>`
      : html`<circle class="fill s${colour}" ${place} r="2"/>`;
  });
  const at = mark && across.place(mark.x);
  return [
    mark &&
      html`<line class="mark s${colour}" x1="${at}%" x2="${at}%" y2="100%"><title>${mark.text}</title></line>`,
    joined &&
      html`<svg width="100%" height="${height}" viewBox="0 0 ${UNITS} ${height}" preserveAspectRatio="none"><path class="line s${colour}" d="${path}"/></svg>`,
    (isLabelled || !joined) && dots,
  ];
}

interface Scale extends Pick<Axis, 'text'> {
  place: (value: number) => number;
  ticks: { place: number; text: string }[];
}

const tickText = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 });

/** The scale of an axis that holds these values, from one end to the other, which are in per cent or px. */
export function scaleOf(
  { unit, scale: kind, origin, ticks, text }: Axis,
  values: readonly number[],
  { from, to, count, gap }: typeof ACROSS,
): Scale {
  const known = [...values, ...(ticks ?? []), origin ?? Number.NaN]
    .filter((value) => Number.isFinite(value) && (kind === 'linear' || value > 0))
    .map((value) => value / unit);
  const [low, high] = known.length === 0 ? [1, 1] : [Math.min(...known), Math.max(...known)];
  // A single value is in the middle.
  const margin = low === high ? Math.abs(low) / 10 || 1 : 0;
  const scale = (kind === 'log' ? scaleLog : scaleLinear)()
    .domain([low - margin, high + margin])
    .range([from, to]);
  // To a hundredth, so that a page stays small.
  const placeOf = (value: number) => Math.round(scale(value) * 100) / 100;
  const place = (value: number) => placeOf(value / unit);
  const given = ticks?.map((value) => ({ place: place(value), text: text(value) }));
  const found = scale.ticks(count).toSorted((a, b) => roughness(a) - roughness(b));
  const labelled = found.map((value) => ({ place: placeOf(value), text: tickText.format(value) }));
  return { place, text, ticks: given ?? apart(labelled, gap) };
}

/** Those with enough space between them, in order; the first ones take precedence. */
function apart(ticks: Scale['ticks'], gap: number): Scale['ticks'] {
  const kept: Scale['ticks'] = [];
  for (const tick of ticks) {
    if (kept.every(({ place }) => Math.abs(place - tick.place) >= gap)) kept.push(tick);
  }
  return kept.toSorted((a, b) => a.place - b.place);
}

/** The lower, the rounder: first digits 1, 5 and 2 are rounder than others. */
function roughness(value: number): number {
  if (value === 0) return 0;
  const first = Math.abs(value) / 10 ** Math.floor(Math.log10(Math.abs(value)) + 1e-9);
  const place = [1, 5, 2].findIndex((round) => Math.abs(first - round) < 1e-6);
  return place === -1 ? 3 : place;
}
