import type { Machine } from '../../system/machine.ts';
import { machineText } from '../names.ts';
import { html } from './markup.ts';
import { pageOf } from './page.ts';

/** A page that an index links to. */
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
  const link = claims === null ? null : html`<a href="${encodeURI(claims)}">Published claims</a>`;
  return pageOf(
    'overhead: runs',
    html`<main class="alone"><h1>Runs</h1>
${link && html`<p>${link}: the outcome of each in these runs</p>`}
<ul class="index">
${items}</ul>
</main>`,
  );
}
