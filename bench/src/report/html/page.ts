import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SRC } from '../../base/places.ts';
import type { Document } from '../document.ts';
import { headingOf, renderSection } from './blocks.ts';
import { html, Markup, when } from './markup.ts';

const STYLE = clientFile('page.css');
const SCRIPT = clientFile('page.js');

/** Nothing is loaded, and nothing runs but what has these very bytes. */
const POLICY = [
  "default-src 'none'",
  'img-src data:',
  `style-src '${hashOf(STYLE)}'`,
  `script-src '${hashOf(SCRIPT)}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Reports as one page, in a file of its own: one alone, or several side by side. */
export function renderPage(documents: readonly Document[]): string {
  const titles = [...new Set(documents.map(({ title }) => title))];
  const isAlone = documents.length === 1;
  return pageOf(
    titles.join(', '),
    html`<main class="${isAlone ? 'alone' : 'beside'}">
${documents.map((document, index) => renderDocument(document, isAlone ? '' : `${index + 1}-`))}</main>`,
  );
}

/** A page of this title around this body. */
export function pageOf(title: string, body: Markup): string {
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Markup(STYLE)}</style>
</head>
<body>
<svg width="0" height="0" class="patterns" aria-hidden="true"><defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line y2="6"/></pattern></defs></svg>
${body}
<script>${new Markup(SCRIPT)}</script>
</body>
</html>
`;
  return text;
}

function renderDocument(
  { title, intro, warnings, sections, foot }: Document,
  prefix: string,
): Markup {
  const placed = sections.map((section, index) => ({ section, id: `${prefix}s${index + 1}` }));
  const links = placed.flatMap(({ section, id }) => {
    const heading = headingOf(section);
    return heading === null
      ? []
      : [
          html`<li><a href="#${id}">${heading}</a></li>
`,
        ];
  });
  return html`<article>
<header>
<h1>${title}</h1>
${intro.map(
  (text) => html`<p>${text}</p>
`,
)}${warnings.map(
  (text) => html`<p class="warn">${text}</p>
`,
)}</header>
${when(links.length > 1, () => html`<nav aria-label="${title}: contents"><details><summary>Contents</summary><ol>${links}</ol></details></nav>`)}
${placed.map(
  ({ section, id }) => html`${renderSection(section, id)}
`,
)}<footer>${foot.map((text) => html`<p>${text}</p>`)}</footer>
</article>
`;
}

function clientFile(name: string): string {
  return readFileSync(join(SRC, 'report/html/client', name), 'utf8');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
