import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import { ascii, showsUnicode } from './ascii.ts';

/** A stream for text: a terminal of so many columns, or anything else. */
export interface Output extends Writable {
  isTTY?: boolean;
  columns?: number;
}

/** How text may look where it is going. */
export interface Look {
  /** Columns of the terminal. */
  width: number;
  /** What is to be shown, in signs that can be. */
  text: (text: string) => string;
  bold: (text: string) => string;
  dim: (text: string) => string;
  warn: (text: string) => string;
  /** Of figures that say something else than they seem to. */
  strike: (text: string) => string;
}

/** The width of a report that goes to no terminal, unless COLUMNS says otherwise. */
const FILE_WIDTH = 160;

/** How text looks best on this stream. */
export function lookOf(stream: Output): Look {
  const styled = (style: 'bold' | 'dim' | 'red' | 'strikethrough') => (text: string) => {
    return styleText(style, text, { stream });
  };
  // Not every terminal can cross out.
  const strike = (text: string) => styled('strikethrough')(`~~${text}~~`);
  const columns = stream.isTTY ? stream.columns : Number(process.env.COLUMNS);
  const width = columns || FILE_WIDTH;
  const text = showsUnicode(process.env) ? (shown: string) => shown : ascii;
  return { width, text, bold: styled('bold'), dim: styled('dim'), warn: styled('red'), strike };
}
