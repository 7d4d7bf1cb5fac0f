import type { Block, Document, Footnote, Section, Table, Text } from './document.ts';
import { NONE } from './format.ts';
import { chartTable, headText, withoutDrawings } from './tables.ts';
import { type Look, UNSTYLED, wrap } from './terminal/look.ts';
import { renderTable as drawTable } from './terminal/table.ts';

type BlockOf<Kind extends Block['kind']> = Extract<Block, { kind: Kind }>;

export type BlockWriter<Out> = { [Kind in Block['kind']]: (block: BlockOf<Kind>) => Out };

export function writeBlock<Kind extends Block['kind'], Out>(
  block: BlockOf<Kind>,
  writer: BlockWriter<Out>,
): Out {
  return writer[block.kind](block);
}

/** How the parts of a report look in a kind of text; of a chart it has the figures, as a table. */
interface TextWriter extends Omit<BlockWriter<string>, 'figure'> {
  /** What separates the blocks of a section. */
  gap: '\n' | '\n\n';
  title: (text: string) => string;
  warning: (text: string) => string;
}

function writeDocument(document: Document, writer: TextWriter): string {
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

function writeSection({ blocks }: Section, text: TextWriter): string {
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

function noteText({ letter, code, invalid, text }: Footnote): string {
  return `${letter} ${code}${invalid === null ? '' : ` (${invalid})`}: ${text}.`;
}

/** A whole report, for a terminal or a file. */
export function renderDocument(document: Document, look: Look): string {
  return writeDocument(document, writerOf(look));
}

/** Sections of a report alone, without a line break at the end. */
export function renderSections(sections: readonly Section[], look: Look): string {
  return sections.map((section) => writeSection(section, writerOf(look))).join('\n\n');
}

function writerOf(look: Look): TextWriter {
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
    table: (table) => drawTable(table, look),
    footnotes: ({ notes }) => notes.map((note) => look.dim(wrapped(noteText(note)))).join('\n'),
    failure: ({ message, logTail }) => {
      const log = logTail.map((line) => look.dim(`  ${look.text(line)}`));
      return [styled(message, look.warn), ...log].join('\n');
    },
    definition: ({ term, text }) => wrapped(`${term}: ${text}`),
  };
}

const PLAIN: TextWriter = {
  ...writerOf(UNSTYLED),
  table: plainRows,
  failure: ({ message, logTail }) => [message, ...logTail].join('\n'),
};

/** A whole report for a screen reader: a line for each row of a table, with the name of its column before every figure. */
export function renderPlain(document: Document): string {
  return writeDocument(document, PLAIN);
}

/** `target Express: requests/s 66,031 ±2,803; CPU µs/request 14.76 ±0.61.`, without what is not known. */
function plainRows(table: Table): string {
  const { columns, rows } = withoutDrawings(table);
  const heads = columns.map(({ head }) => headText(head));
  // Where two columns have the same name, their groups tell them apart.
  const names = columns.map(({ group }, index) => {
    const head = heads[index] ?? '';
    return heads.indexOf(head) === heads.lastIndexOf(head) ? head : `${group} ${head}`.trim();
  });
  const lines = rows.map((row) => {
    const [name, ...figures] = row.map(plainCell);
    const known = figures.flatMap((text, index) => {
      return text === '' || text === NONE ? [] : [`${names[index + 1]} ${text}`];
    });
    return `${heads[0]} ${name}: ${known.join('; ')}.`;
  });
  return lines.join('\n');
}

function plainCell(cell: Text): string {
  if (typeof cell === 'string') return cell;
  return 'spans' in cell || cell.emphasis === 'warn' ? cell.text : `${cell.text} (crossed out)`;
}

const MARKDOWN: TextWriter = {
  gap: '\n\n',
  title: (text) => `# ${escaped(text)}`,
  warning: (text) => `**${escaped(text)}**`,
  heading: ({ text }) => `## ${escaped(text)}`,
  paragraph: ({ text }) => escaped(text),
  table: markdownTable,
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
  return writeDocument(document, MARKDOWN);
}

function markdownTable(table: Table): string {
  const { columns, rows } = withoutDrawings(table);
  const lines = [
    columns.map(({ head }) => escaped(headText(head))),
    columns.map(({ align }) => (align === 'right' ? '---:' : '---')),
    ...rows.map((row) => row.map(markdownCell)),
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function markdownCell(cell: Text): string {
  const text = escaped(typeof cell === 'string' ? cell : cell.text);
  if (typeof cell === 'string' || 'spans' in cell) return text;
  return cell.emphasis === 'struck' ? `~~${text}~~` : `**${text}**`;
}

/** A text in one line, in which nothing is taken for Markdown or HTML. */
function escaped(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_{}[\]<>#|~&]/g, '\\$&');
}
