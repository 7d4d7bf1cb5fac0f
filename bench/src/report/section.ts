import { capitalized } from './names.ts';
import type { Look } from './table.ts';
import { wrap } from './wrap.ts';

/** A part of a report: what it is of, its table if there is one, and what that shows. */
export function section(heading: string, table: string, text: string, look: Look): string {
  const parts = [look.bold(capitalized(heading)), table, wrap(text, look.width)];
  return parts.filter((part) => part !== '').join('\n');
}
