import { chartTable } from '../chart-table.ts';
import type { Block, Figure, Footnote, Section } from '../document.ts';
import { FLAG_TEXTS } from '../flag-texts.ts';
import { html, type Markup } from './markup.ts';
import { renderPlot } from './plot.ts';
import { renderTable } from './table.ts';

/** A section under its heading; `id` is where links to it lead. */
export function renderSection(section: Section, id: string): Markup {
  const heading = headingOf(section);
  return html`<section id="${id}">
${section.blocks.map(
  (block) => html`${renderBlock(block, heading ?? 'Figures')}
`,
)}</section>`;
}

/** What stands above a section; null where nothing does. */
export function headingOf({ blocks }: Section): string | null {
  const heading = blocks.find((block) => block.kind === 'heading');
  return heading === undefined ? null : heading.text;
}

function renderBlock(block: Block, name: string): Markup {
  switch (block.kind) {
    case 'heading':
      return html`<h2>${block.text}</h2>`;
    case 'table':
      return renderTable(block, name);
    case 'footnotes':
      return html`<ul class="notes">${block.notes.map(renderNote)}</ul>`;
    case 'paragraph':
      return html`<p>${block.text}</p>`;
    case 'figure':
      return renderFigure(block.chart, name);
    case 'failure':
      return html`<p class="warn">${block.message}</p><pre tabindex="0">${block.logTail.join('\n')}</pre>`;
    case 'definition':
      return html`<dl><dt>${block.term}</dt><dd>${block.text}</dd></dl>`;
  }
}

/** A footnote, with what its flag means behind it. */
function renderNote({ letter, code, invalid, text }: Footnote): Markup {
  const { means, todo } = FLAG_TEXTS[code];
  return html`<li><details><summary><b>${letter}</b> <code>${code}</code>${
    invalid === null ? html`` : html` <strong class="warn">${invalid}</strong>`
  } ${text}.</summary><p>${means} ${todo}</p></details></li>
`;
}

function renderFigure(chart: Figure['chart'], name: string): Markup {
  const { title, description } = chart;
  return html`<figure aria-label="${title}">
<figcaption><h3>${title}</h3><p>${description}</p></figcaption>
${renderPlot(chart)}
<details class="figures"><summary>Figures</summary>${renderTable(chartTable(chart), `${name}: ${title}`)}</details>
</figure>`;
}
