import { chartTable } from './chart-table.ts';
import type { Block, Document, Section, Table, Text } from './document.ts';
import { headText, withoutDrawings } from './tabulate.ts';

/** A whole report in Markdown, with the tables of GitHub. */
export function renderMarkdown({ title, intro, warnings, sections, foot }: Document): string {
  const parts = [
    `# ${escaped(title)}`,
    ...intro.map(escaped),
    ...warnings.map((warning) => `**${escaped(warning)}**`),
    ...sections.map(renderSection),
    ...foot.map(escaped),
  ];
  return `${parts.join('\n\n')}\n`;
}

function renderSection({ blocks }: Section): string {
  return blocks.map(renderBlock).join('\n\n');
}

function renderBlock(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `## ${escaped(block.text)}`;
    case 'table':
      return renderTable(block);
    case 'footnotes':
      return block.notes
        .map(({ letter, code, invalid, text }) => {
          return `- ${letter} \`${code}\`${invalid === null ? '' : ` (${invalid})`} ${escaped(text)}.`;
        })
        .join('\n');
    case 'paragraph':
      return escaped(block.text);
    case 'figure':
      return renderTable(chartTable(block.chart));
    case 'failure':
      return [`**${escaped(block.message)}**`, ...block.logTail.map(code)].join('\n\n');
    case 'definition':
      return `**${escaped(block.term)}**: ${escaped(block.text)}`;
  }
}

function renderTable(table: Table): string {
  const { columns, rows } = withoutDrawings(table);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const dashes = columns.map(({ align }) => (align === 'right' ? '---:' : '---'));
  return [
    line(columns.map(({ head }) => escaped(headText(head)))),
    line(dashes),
    ...rows.map((row) => line(row.map(cellText))),
  ].join('\n');
}

function cellText(cell: Text): string {
  if (typeof cell === 'string') return escaped(cell);
  if ('spans' in cell) return escaped(cell.text);
  return cell.emphasis === 'struck' ? `~~${escaped(cell.text)}~~` : `**${escaped(cell.text)}**`;
}

/** A line that somebody wrote, as it is: indented, since it may hold any marks. */
function code(line: string): string {
  return `    ${line}`;
}

/** A text in one line without anything that Markdown or HTML in it would take for a mark. */
function escaped(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_{}[\]<>#|~&]/g, '\\$&');
}
