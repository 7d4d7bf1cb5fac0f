import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Section, Text } from '../../src/report/document.ts';
import { withoutColumns } from '../../src/report/tables.ts';
import { type Look, UNSTYLED } from '../../src/report/terminal/look.ts';
import { renderSections } from '../../src/report/text.ts';

/** Tests that a report is that of its golden files, and no line wider, at 80 and 160 columns. */
export function testGolden(name: string, render: (width: number) => string): void {
  test.each([80, 160])(`the report of ${name} at %d columns is as shown`, async (width) => {
    const text = render(width);
    const path = join(import.meta.dirname, 'golden', `${name}-${width}.txt`);
    await expect(text).toMatchFileSnapshot(path);
    expect(widest(text)).toBeLessThanOrEqual(width);
  });
}

export function widest(text: string): number {
  return Math.max(...text.split('\n').map(({ length }) => length));
}

/** A look without colours, as in a file. */
export function plain(width: number): Look {
  return { ...UNSTYLED, width };
}

export function shown(section: Section, width = 100_000): string {
  return renderSections([section], plain(width));
}

/** The rows of a section's first table, without what only a page shows. */
export function rowsOf({ blocks }: Section): Text[][] {
  const table = blocks.find((block) => block.kind === 'table');
  return table ? withoutColumns(table, ({ onPage }) => onPage === true).rows : [];
}
