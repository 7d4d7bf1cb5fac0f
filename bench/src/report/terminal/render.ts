import type { Document, Section } from '../document.ts';
import { noteText, type TextWriter, writeDocument, writeSection } from '../writer.ts';
import { type Look, wrap } from './look.ts';
import { renderTable } from './table.ts';

/** A whole report, for a terminal or a file. */
export function renderDocument(document: Document, look: Look): string {
  return writeDocument(document, writerOf(look));
}

/** Sections of a report alone, without a line break at the end. */
export function renderSections(sections: readonly Section[], look: Look): string {
  return sections.map((section) => writeSection(section, writerOf(look))).join('\n\n');
}

export function writerOf(look: Look): TextWriter {
  const wrapped = (text: string) => wrap(look.text(text), look.width);
  // Styled line by line, so that no style continues past the end of a line.
  const styled = (text: string, style: (line: string) => string) => {
    return wrapped(text).split('\n').map(style).join('\n');
  };
  return {
    gap: '\n',
    title: (text) => styled(text, look.bold),
    warning: (text) => styled(text, look.warn),
    heading: ({ text }) => styled(text, look.bold),
    paragraph: ({ text }) => wrapped(text),
    table: (table) => renderTable(table, look),
    footnotes: ({ notes }) => notes.map((note) => look.dim(wrapped(noteText(note)))).join('\n'),
    failure: ({ message, logTail }) => {
      const log = logTail.map((line) => look.dim(`  ${look.text(line)}`));
      return [styled(message, look.warn), ...log].join('\n');
    },
    definition: ({ term, text }) => wrapped(`${term}: ${text}`),
  };
}
