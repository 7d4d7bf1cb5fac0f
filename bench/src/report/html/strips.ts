import type { Strips } from '../document.ts';
import { number } from '../format.ts';
import { html, type Markup } from './markup.ts';

/** Each row's values as dots between the ends of its panel. */
export function renderStrips({ panels }: Strips): Markup {
  return html`${panels.map(({ title, scale: { low, high }, rows }) => {
    const width = high.value - low.value;
    const lines = rows.map(({ name, values }) => {
      const dots = values.map((value) => {
        const place = width === 0 ? 50 : 2 + ((value - low.value) / width) * 96;
        return html`<circle class="dot" cx="${place.toFixed(2)}%" cy="50%" r="3.5"><title>${number(value)}</title></circle>`;
      });
      return html`<div class="row"><span class="name">${name}</span><span class="strip"><svg aria-hidden="true">${dots}</svg></span><span class="value"></span></div>
`;
    });
    return html`<h3>${title}</h3>
<div class="rows"><div class="row axis"><span class="name"></span><span class="ends"><span>${low.text}</span><span>${high.text}</span></span><span class="value"></span></div>
${lines}</div>
`;
  })}`;
}
