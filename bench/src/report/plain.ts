import { chartTable } from './chart-table.ts';
import type { Block, Document, Section, Table, Text } from './document.ts';
import { NONE } from './format.ts';
import { headText, withoutDrawings } from './tabulate.ts';

/**
 * A whole report to be read aloud, line by line: a line for each row of a table, in which every figure
 * stands with the name of its column.
 */
export function renderPlain({ title, intro, warnings, sections, foot }: Document): string {
  const parts = [
    [title, ...intro, ...warnings].join('\n'),
    ...sections.map(renderSection),
    ...foot,
  ];
  return `${parts.join('\n\n')}\n`;
}

function renderSection({ blocks }: Section): string {
  return blocks.map(renderBlock).join('\n');
}

function renderBlock(block: Block): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return block.text;
    case 'table':
      return rowsOf(block);
    case 'footnotes':
      return block.notes
        .map(({ letter, code, invalid, text }) => {
          return `${letter}: ${code}${invalid === null ? '' : `, ${invalid}`}: ${text}.`;
        })
        .join('\n');
    case 'figure':
      return rowsOf(chartTable(block.chart));
    case 'failure':
      return [block.message, ...block.logTail].join('\n');
    case 'definition':
      return `${block.term}: ${block.text}`;
  }
}

/** `Express: requests/s 66,031 ±2,803; CPU µs/request 14.76 ±0.61.`, without what is not known. */
function rowsOf(table: Table): string {
  const { columns, rows } = withoutDrawings(table);
  const heads = columns.map(({ head }) => headText(head));
  // Where two columns have one name, their groups tell them apart.
  const names = columns.map(({ group }, index) => {
    const head = heads[index] ?? '';
    const isAlone = heads.indexOf(head) === heads.lastIndexOf(head);
    return isAlone || group === '' ? head : `${group} ${head}`;
  });
  return rows
    .map(([name, ...cells]) => {
      const figures = cells.flatMap((cell, index) => {
        const text = textOf(cell);
        return text === '' || text === NONE ? [] : [`${names[index + 1]} ${text}`];
      });
      return `${heads[0]} ${textOf(name ?? '')}: ${figures.join('; ')}.`;
    })
    .join('\n');
}

function textOf(cell: Text): string {
  if (typeof cell === 'string') return cell;
  if ('spans' in cell) return cell.text;
  return cell.emphasis === 'struck' ? `${cell.text} (crossed out)` : cell.text;
}
