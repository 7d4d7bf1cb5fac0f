import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SRC } from '../../base/places.ts';
import type { Machine } from '../../system/machine.ts';
import type { Document, Footnote, Plot, Section } from '../document.ts';
import { meaningOf } from '../flag-texts.ts';
import { machineText } from '../names.ts';
import { chartTable } from '../tables.ts';
import { type BlockWriter, writeBlock } from '../text.ts';
import { html, type Markup } from './markup.ts';
import { renderPlot } from './plot.ts';
import { renderTable } from './table.ts';

/** Nothing is loaded, and only a style and a script with their hashes are used. */
const PAGE = clientFile('page.html');
const STYLE = clientFile('page.css');
const SCRIPT = clientFile('page.js');

/** Reports as one page, in a single file; several are side by side. */
export function renderPage(documents: readonly Document[]): string {
  const titles = new Set(documents.map(({ title }) => title));
  const isAlone = documents.length === 1;
  const articles = documents.map((document, index) => {
    return renderDocument(document, isAlone ? '' : `${index + 1}-`);
  });
  const body = html`<main class="${isAlone ? 'alone' : 'beside'}">${articles}</main>`;
  return pageOf([...titles].join(', '), body);
}

function pageOf(title: string, body: Markup): string {
  const parts: Record<string, string> = {
    ...{ title: html`${title}`.text, body: body.text, style: STYLE, script: SCRIPT },
    ...{ 'style hash': hashOf(STYLE), 'script hash': hashOf(SCRIPT) },
  };
  const placeholder = /\{(.+?)\}|\/\* (\w+) \*\//g;
  return PAGE.replaceAll(placeholder, (_, name, code) => parts[name ?? code] ?? '');
}

function renderDocument({ title, intro, warnings, sections, foot }: Document, prefix: string) {
  const idOf = (index: number) => `${prefix}s${index + 1}`;
  const links = sections.flatMap((section, index) => {
    const heading = headingOf(section);
    return heading === null ? [] : [html`<li><a href="#${idOf(index)}">${heading}</a></li>`];
  });
  const contents = html`<nav aria-label="${title}: contents"><details><summary>Contents</summary><ol>${links}</ol></details></nav>`;
  return html`<article>
<header>
<h1>${title}</h1>
${intro.map((text) => html`<p>${text}</p>`)}${warnings.map((text) => html`<p class="warn">${text}</p>`)}
</header>
${links.length > 1 && contents}
${sections.map((section, index) => renderSection(section, idOf(index)))}
<footer>${foot.map((text) => html`<p>${text}</p>`)}</footer>
</article>
`;
}

function clientFile(name: string): string {
  return readFileSync(join(SRC, 'report/html/client', name), 'utf8');
}

function hashOf(text: string): string {
  return `sha256-${hash('sha256', text, 'base64')}`;
}

function renderSection(section: Section, id: string): Markup {
  const writer = writerOf(headingOf(section) ?? 'Figures');
  return html`<section id="${id}">
${section.blocks.map((block) => writeBlock(block, writer))}</section>
`;
}

function headingOf({ blocks }: Section): string | null {
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

export interface IndexEntry {
  /** Relative to the index. */
  href: string;
  title: string;
  startedAt: string;
  machine: Machine;
}

/** The index of a folder of pages, the newest first, below a link to the page about published claims. */
export function renderIndex(entries: readonly IndexEntry[], claims: string | null = null): string {
  const newest = entries.toSorted((a, b) => b.startedAt.localeCompare(a.startedAt));
  const items = newest.map(({ href, title, startedAt, machine }) => {
    const date = html`<time datetime="${startedAt}">${startedAt.slice(0, 10)}</time>`;
    return html`<li><a href="${encodeURI(href)}">${href.replace(/\.html$/, '')}</a>
<p>${title} · ${date} · ${machineText(machine, { hasMemory: true })}</p></li>
`;
  });
  const body = html`<main class="alone"><h1>Runs</h1>
${claims !== null && html`<p><a href="${encodeURI(claims)}">Published claims</a>: the outcome of each in these runs</p>`}
<ul class="index">
${items}</ul>
</main>`;
  return pageOf('overhead: runs', body);
}
