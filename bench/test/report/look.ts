import type { Section } from '../../src/report/document.ts';
import type { Look } from '../../src/report/terminal/look.ts';
import { renderSections } from '../../src/report/terminal/render.ts';

const as = (text: string) => text;

/** A look without colours, as in a file. */
export function plain(width: number): Look {
  return { width, text: as, bold: as, dim: as, warn: as, strike: (text) => `~~${text}~~` };
}

/** A section as it is shown without colours. */
export function shown(section: Section, width = 100_000): string {
  return renderSections([section], plain(width));
}
