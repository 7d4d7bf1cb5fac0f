import type { Drawing, Span } from '../document.ts';
import { html, type Markup } from './markup.ts';

const LETTER = 8;
const HEIGHT = 10;

/** A drawing, beside the figures that it is of; its colours are in the order of these series. */
export function renderDrawing({ width, spans, text }: Drawing, series: readonly string[]): Markup {
  const drawn = spans.map((span) => renderSpan(span, width * LETTER, series));
  const title = text === '' ? html`` : html`<title>${text}</title>`;
  return html`<svg class="bar" width="${width * LETTER}" height="${HEIGHT}" aria-hidden="true">${title}${drawn}</svg>`;
}

function renderSpan({ from, to, look }: Span, width: number, series: readonly string[]): Markup {
  const at = (share: number) => (share * width).toFixed(1);
  // The ends of the line have room for half a dot.
  const middle = (share: number) => (4 + share * (width - 8)).toFixed(1);
  const size = html`x="${at(from)}" width="${at(to - from)}" height="${HEIGHT}"`;
  switch (look) {
    case 'at least':
      return html`<rect ${size}/>`;
    case 'at most':
      return html`<rect ${size} opacity="0.35"/>`;
    case 'dot':
    case 'mark':
      return html`<circle class="${look === 'dot' ? 'dot' : 'other'}" cx="${middle(from)}" cy="${HEIGHT / 2}" r="4"/>`;
    default:
      return html`<rect class="fill s${series.indexOf(look.series) % 8}" ${size}><title>${look.series}</title></rect>`;
  }
}
