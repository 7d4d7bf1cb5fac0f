import { chartTable } from '../chart-table.ts';
import type { Block, Document, Footnote, Section } from '../document.ts';
import type { Look } from './look.ts';
import { renderTable } from './table.ts';
import { wrap } from './wrap.ts';

/** A whole report, for a terminal or a file. */
export function renderDocument(document: Document, look: Look): string {
  const { title, intro, warnings, sections, foot } = document;
  const wrapped = (text: string) => wrap(look.text(text), look.width);
  const head = [
    look.bold(look.text(title)),
    ...intro.map(wrapped),
    ...warnings.map((warning) => look.warn(wrapped(warning))),
  ].join('\n');
  const parts = [head, ...sections.map((each) => renderSection(each, look)), ...foot.map(wrapped)];
  return `${parts.join('\n\n')}\n`;
}

/** Parts of a report alone, without the end of the last line. */
export function renderSections(sections: readonly Section[], look: Look): string {
  return sections.map((each) => renderSection(each, look)).join('\n\n');
}

function renderSection({ blocks }: Section, look: Look): string {
  return blocks.reduce((above, block, index) => {
    const before = blocks[index - 1];
    if (before === undefined) return renderBlock(block, look);
    // Between tables there is a blank line.
    const gap = block.kind === 'table' && before.kind === 'table' ? '\n\n' : '\n';
    return `${above}${gap}${renderBlock(block, look)}`;
  }, '');
}

function renderBlock(block: Block, look: Look): string {
  switch (block.kind) {
    case 'heading':
      return styled(block.text, look.bold, look);
    case 'table':
      return renderTable(block, look);
    case 'footnotes':
      return block.notes
        .map((note) => look.dim(wrap(look.text(noteText(note)), look.width)))
        .join('\n');
    case 'paragraph':
      return wrap(look.text(block.text), look.width);
    case 'figure':
      return renderTable(chartTable(block.chart), look);
    case 'failure': {
      const logTail = block.logTail.map((line) => look.dim(`  ${look.text(line)}`));
      return [styled(block.message, look.warn, look), ...logTail].join('\n');
    }
    case 'definition':
      return wrap(look.text(`${block.term}: ${block.text}`), look.width);
  }
}

/** Styled line by line, so that no style goes on beyond the end of a line. */
function styled(text: string, style: (line: string) => string, look: Look): string {
  return wrap(look.text(text), look.width).split('\n').map(style).join('\n');
}

function noteText({ letter, code, invalid, tells, text }: Footnote): string {
  return `${letter} ${code}${invalid === null ? '' : ` (${invalid})`}${tells === 'advice' ? ':' : ''} ${text}.`;
}
