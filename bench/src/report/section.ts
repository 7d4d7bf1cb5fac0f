import type { CellSummary } from '../summary/conditions.ts';
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
  const head = wrap(capitalized(heading), look.width).split('\n').map(look.bold).join('\n');
  const parts = [head, table, notes, wrap(text, look.width)];
  return parts.filter((part) => part !== '').join('\n');
}

/** Whether the run ended before the first slice of any of these cells. */
export function isUnreached(cells: readonly CellSummary[]): boolean {
  return cells.every(({ outcome }) => outcome.state === 'not reached');
}

/** A part of a report about cells that the run did not get to. */
export function unreachedSection(heading: string, look: Look): string {
  return section(heading, '', 'Nothing was measured here.', look);
}
