import type { Section, Text } from '../../src/report/document.ts';

/** The rows of a section's first table. */
export function rowsOf({ blocks }: Section): Text[][] {
  return blocks.find((block) => block.kind === 'table')?.rows ?? [];
}
