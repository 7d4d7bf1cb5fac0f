import type { Definition, Section } from './document.ts';
import { FLAG_TEXTS } from './flag-texts.ts';
import { section } from './section.ts';

/** What the flags of these sections mean, and what to do, in the order of the alphabet; nothing where they have none. */
export function legendOf(sections: readonly Section[]): Section[] {
  const codes = new Set(sections.flatMap(({ flags }) => flags));
  if (codes.size === 0) return [];
  const entries = [...codes].toSorted().map((code): Definition => {
    const { means, todo } = FLAG_TEXTS[code];
    return { kind: 'definition', term: code, text: `${means} ${todo}` };
  });
  return [section('What the flags mean', entries)];
}
