import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import { ascii, showsUnicode } from './ascii.ts';

/** A stream for text: a terminal with a number of columns, or anything else. */
export interface Output extends Writable {
  isTTY?: boolean;
  columns?: number;
}

/** How text looks in its destination. */
export interface Look {
  width: number;
  /** The text in characters that can be shown. */
  text: (text: string) => string;
  bold: (text: string) => string;
  dim: (text: string) => string;
  warn: (text: string) => string;
  /** For misleading figures. */
  strike: (text: string) => string;
}

/** The width of a report outside of a terminal, unless COLUMNS says otherwise. */
const FILE_WIDTH = 160;

/** How text looks best on this stream. */
export function lookOf(stream: Output): Look {
  const styled = (style: 'bold' | 'dim' | 'red' | 'strikethrough') => (text: string) => {
    return styleText(style, text, { stream });
  };
  // Not every terminal can cross text out.
  const strike = (text: string) => styled('strikethrough')(`~~${text}~~`);
  const columns = stream.isTTY ? stream.columns : Number(process.env.COLUMNS);
  const width = columns || FILE_WIDTH;
  const text = showsUnicode(process.env) ? (shown: string) => shown : ascii;
  return { width, text, bold: styled('bold'), dim: styled('dim'), warn: styled('red'), strike };
}
