import type { Machine } from '../../system/machine.ts';
import { machineText } from '../machine-text.ts';
import { html } from './markup.ts';
import { pageOf } from './page.ts';

/** A page that an index leads to. */
export interface IndexEntry {
  /** Relative to the index. */
  href: string;
  title: string;
  startedAt: string;
  machine: Machine;
}

/** The index of a folder of pages, the newest first, below the page of what they say of published claims. */
export function renderIndex(entries: readonly IndexEntry[], claims: string | null = null): string {
  const newest = entries.toSorted((a, b) => b.startedAt.localeCompare(a.startedAt));
  const items = newest.map(({ href, title, startedAt, machine }) => {
    return html`<li><a href="${encodeURI(href)}">${href.replace(/\.html$/, '')}</a>
<p>${title} · <time datetime="${startedAt}">${startedAt.slice(0, 10)}</time> · ${machineText(machine, { hasMemory: true })}</p></li>
`;
  });
  return pageOf(
    'overhead: runs',
    html`<main class="alone"><h1>Runs</h1>
${
  claims === null
    ? ''
    : html`<p><a href="${encodeURI(claims)}">Published claims</a>: what these runs say of what others published</p>
`
}<ul class="index">
${items}</ul>
</main>`,
  );
}
