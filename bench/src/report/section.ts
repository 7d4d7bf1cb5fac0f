import type { CellSummary } from '../summary/conditions.ts';
import type { Code } from '../validity/flags.ts';
import type { Block, Paragraph, Section } from './document.ts';
import { capitalized } from './names.ts';

/** A part of a report below a heading, and the flags that it shows. */
export function section(heading: string, blocks: Block[], flags: readonly Code[] = []): Section {
  return { blocks: [{ kind: 'heading', text: capitalized(heading) }, ...blocks], flags };
}

/** A part without a heading, which shows no flags. */
export function unheaded(block: Block): Section {
  return { blocks: [block], flags: [] };
}

export function paragraph(text: string): Paragraph {
  return { kind: 'paragraph', text };
}

/** Whether the run ended before the first slice of any of these cells. */
export function isUnreached(cells: readonly CellSummary[]): boolean {
  return cells.every(({ outcome }) => outcome.state === 'not reached');
}

/** A part of a report about cells that the run did not get to. */
export function unreachedSection(heading: string): Section {
  return section(heading, [paragraph('Nothing was measured here.')]);
}
