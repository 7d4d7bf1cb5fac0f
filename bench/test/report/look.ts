import type { Look } from '../../src/report/table.ts';

const as = (text: string) => text;

/** A look without colours, as in a file. */
export function plain(width: number): Look {
  return { width, bold: as, dim: as, warn: as, strike: (text) => `~~${text}~~` };
}
