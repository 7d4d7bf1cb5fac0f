import { type Document, headText, type Table, type Text, withoutDrawings } from './document.ts';
import { type TextWriter, writeDocument } from './writer.ts';

const WRITER: TextWriter = {
  gap: '\n\n',
  title: (text) => `# ${escaped(text)}`,
  warning: (text) => `**${escaped(text)}**`,
  heading: ({ text }) => `## ${escaped(text)}`,
  paragraph: ({ text }) => escaped(text),
  table: renderTable,
  footnotes: ({ notes }) => {
    const lines = notes.map(({ letter, code, invalid, text }) => {
      return `- ${letter} \`${code}\`${invalid === null ? '' : ` (${invalid})`}: ${escaped(text)}.`;
    });
    return lines.join('\n');
  },
  // The log is indented, since it may contain any markup.
  failure: ({ message, logTail }) => {
    return [`**${escaped(message)}**`, ...logTail.map((line) => `    ${line}`)].join('\n\n');
  },
  definition: ({ term, text }) => `**${escaped(term)}**: ${escaped(text)}`,
};

/** A whole report in GitHub's Markdown. */
export function renderMarkdown(document: Document): string {
  return writeDocument(document, WRITER);
}

function renderTable(table: Table): string {
  const { columns, rows } = withoutDrawings(table);
  const lines = [
    columns.map(({ head }) => escaped(headText(head))),
    columns.map(({ align }) => (align === 'right' ? '---:' : '---')),
    ...rows.map((row) => row.map(cellText)),
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function cellText(cell: Text): string {
  const text = escaped(typeof cell === 'string' ? cell : cell.text);
  if (typeof cell === 'string' || 'spans' in cell) return text;
  return cell.emphasis === 'struck' ? `~~${text}~~` : `**${text}**`;
}

/** A text in one line, in which nothing is taken for Markdown or HTML. */
function escaped(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_{}[\]<>#|~&]/g, '\\$&');
}
