import { type Block, chartTable, type Document, type Footnote, type Section } from './document.ts';

type BlockOf<Kind extends Block['kind']> = Extract<Block, { kind: Kind }>;

/** What each kind of block becomes. */
export type BlockWriter<Out> = { [Kind in Block['kind']]: (block: BlockOf<Kind>) => Out };

export function writeBlock<Kind extends Block['kind'], Out>(
  block: BlockOf<Kind>,
  writer: BlockWriter<Out>,
): Out {
  return writer[block.kind](block);
}

/** How the parts of a report look in a kind of text; of a chart it has the figures, as a table. */
export interface TextWriter extends Omit<BlockWriter<string>, 'figure'> {
  /** What separates the blocks of a section. */
  gap: '\n' | '\n\n';
  title: (text: string) => string;
  warning: (text: string) => string;
}

export function writeDocument(document: Document, writer: TextWriter): string {
  const paragraph = (text: string) => writer.paragraph({ kind: 'paragraph', text });
  const head = [
    writer.title(document.title),
    ...document.intro.map(paragraph),
    ...document.warnings.map(writer.warning),
  ];
  const sections = document.sections.map((section) => writeSection(section, writer));
  const parts = [head.join(writer.gap), ...sections, ...document.foot.map(paragraph)];
  return `${parts.join('\n\n')}\n`;
}

/** A section as text, without a line break at the end. */
export function writeSection({ blocks }: Section, text: TextWriter): string {
  const writer = {
    ...text,
    figure: ({ chart }: BlockOf<'figure'>) => text.table(chartTable(chart)),
  };
  const texts = blocks.map((block, index) => {
    const next = blocks[index + 1]?.kind;
    // There is a blank line between tables.
    const gap = next === 'table' && block.kind === 'table' ? '\n\n' : writer.gap;
    return `${writeBlock(block, writer)}${next === undefined ? '' : gap}`;
  });
  return texts.join('');
}

export function noteText({ letter, code, invalid, text }: Footnote): string {
  return `${letter} ${code}${invalid === null ? '' : ` (${invalid})`}: ${text}.`;
}
