import { capitalized } from './names.ts';
import type { Look } from './table.ts';
import { wrap } from './wrap.ts';

/** A part of a report: what it is of, its table if there is one, its footnotes, and what it shows. */
export function section(
  heading: string,
  table: string,
  text: string,
  look: Look,
  notes = '',
): string {
  const parts = [look.bold(capitalized(heading)), table, notes, wrap(text, look.width)];
  return parts.filter((part) => part !== '').join('\n');
}
