import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SRC } from '../../base/places.ts';
import type { Document } from '../document.ts';
import { headingOf, renderSection } from './blocks.ts';
import { html, type Markup } from './markup.ts';

/** Nothing is loaded, and only a style and a script with their hashes are used. */
const PAGE = clientFile('page.html');
const STYLE = clientFile('page.css');
const SCRIPT = clientFile('page.js');

/** Reports as one page, in a single file; several are side by side. */
export function renderPage(documents: readonly Document[]): string {
  const titles = [...new Set(documents.map(({ title }) => title))];
  const isAlone = documents.length === 1;
  const articles = documents.map((document, index) => {
    return renderDocument(document, isAlone ? '' : `${index + 1}-`);
  });
  return pageOf(
    titles.join(', '),
    html`<main class="${isAlone ? 'alone' : 'beside'}">${articles}</main>`,
  );
}

/** A page with this title and body. */
export function pageOf(title: string, body: Markup): string {
  const parts: Record<string, string> = {
    ...{ title: html`${title}`.text, body: body.text, style: STYLE, script: SCRIPT },
    ...{ 'style hash': hashOf(STYLE), 'script hash': hashOf(SCRIPT) },
  };
  return PAGE.replaceAll(
    /\{(.+?)\}|\/\* (\w+) \*\//g,
    (_, name, code) => parts[name ?? code] ?? '',
  );
}

function renderDocument(
  { title, intro, warnings, sections, foot }: Document,
  prefix: string,
): Markup {
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
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
