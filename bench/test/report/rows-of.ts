import type { Section, Text } from '../../src/report/document.ts';
import { withoutColumns } from '../../src/report/tabulate.ts';

/** The rows of a section's first table, without what only a page shows. */
export function rowsOf({ blocks }: Section): Text[][] {
  const table = blocks.find((block) => block.kind === 'table');
  return table ? withoutColumns(table, ({ onPage }) => onPage === true).rows : [];
}
