import { type Document, headText, type Table, type Text, withoutDrawings } from './document.ts';
import { NONE } from './format.ts';
import { UNSTYLED } from './terminal/look.ts';
import { writerOf } from './terminal/render.ts';
import { type TextWriter, writeDocument } from './writer.ts';

const WRITER: TextWriter = {
  ...writerOf(UNSTYLED),
  table: rowsOf,
  failure: ({ message, logTail }) => [message, ...logTail].join('\n'),
};

/** A whole report for a screen reader: a line for each row of a table, with the name of its column before every figure. */
export function renderPlain(document: Document): string {
  return writeDocument(document, WRITER);
}

/** `target Express: requests/s 66,031 ±2,803; CPU µs/request 14.76 ±0.61.`, without what is not known. */
function rowsOf(table: Table): string {
  const { columns, rows } = withoutDrawings(table);
  const heads = columns.map(({ head }) => headText(head));
  // Where two columns have the same name, their groups tell them apart.
  const names = columns.map(({ group }, index) => {
    const head = heads[index] ?? '';
    return heads.indexOf(head) === heads.lastIndexOf(head) ? head : `${group} ${head}`.trim();
  });
  const lines = rows.map((row) => {
    const [name, ...figures] = row.map(textOf);
    const known = figures.flatMap((text, index) => {
      return text === '' || text === NONE ? [] : [`${names[index + 1]} ${text}`];
    });
    return `${heads[0]} ${name}: ${known.join('; ')}.`;
  });
  return lines.join('\n');
}

function textOf(cell: Text): string {
  if (typeof cell === 'string') return cell;
  return 'spans' in cell || cell.emphasis === 'warn' ? cell.text : `${cell.text} (crossed out)`;
}
