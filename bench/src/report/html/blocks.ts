import type { Footnote, Plot, Section } from '../document.ts';
import { meaningOf } from '../flag-texts.ts';
import { chartTable } from '../tabulate.ts';
import { type BlockWriter, writeBlock } from '../writer.ts';
import { html, type Markup } from './markup.ts';
import { renderPlot } from './plot.ts';
import { renderTable } from './table.ts';

/** A section under its heading; `id` is where links to it lead. */
export function renderSection(section: Section, id: string): Markup {
  const writer = writerOf(headingOf(section) ?? 'Figures');
  return html`<section id="${id}">
${section.blocks.map((block) => writeBlock(block, writer))}</section>
`;
}

/** The heading of a section; null where it has none. */
export function headingOf({ blocks }: Section): string | null {
  return blocks.find((block) => block.kind === 'heading')?.text ?? null;
}

/** `name` is what tables are called for readers who do not see them. */
function writerOf(name: string): BlockWriter<Markup> {
  return {
    heading: ({ text }) => html`<h2>${text}</h2>`,
    paragraph: ({ text }) => html`<p>${text}</p>`,
    table: (table) => renderTable(table, name),
    footnotes: ({ notes }) => html`<ul class="notes">${notes.map(renderNote)}</ul>`,
    figure: ({ chart }) => renderFigure(chart, name),
    failure: ({ message, logTail }) =>
      html`<p class="warn">${message}</p><pre tabindex="0">${logTail.join('\n')}</pre>`,
    definition: ({ term, text }) => html`<dl><dt>${term}</dt><dd>${text}</dd></dl>`,
  };
}

/** A footnote; it opens to what its flag means. */
function renderNote({ letter, code, invalid, text }: Footnote): Markup {
  const figures = invalid !== null && html` <strong class="warn">${invalid}</strong>`;
  return html`<li><details><summary><b>${letter}</b> <code>${code}</code>${figures} ${text}.</summary><p>${meaningOf(code)}</p></details></li>`;
}

function renderFigure(chart: Plot, name: string): Markup {
  const { title, description } = chart;
  return html`<figure aria-label="${title}">
<figcaption><h3>${title}</h3><p>${description}</p></figcaption>
${renderPlot(chart)}
<details class="figures"><summary>Figures</summary>${renderTable(chartTable(chart), `${name}: ${title}`)}</details>
</figure>`;
}
