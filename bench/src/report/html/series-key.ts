import { html, type Markup, when } from './markup.ts';

/** Which colour is whose, where there are several. */
export function seriesKey(names: readonly string[]): Markup {
  const items = names.map((name, index) => {
    return html`<span><svg class="swatch" aria-hidden="true"><rect class="fill s${index % 8}" width="100%" height="100%"/></svg> ${name}</span> `;
  });
  return when(names.length > 1, () => html`<p class="key">${items}</p>`);
}
