import type { Writable } from 'node:stream';
import { styleText } from 'node:util';

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

const asIs = (text: string) => text;

/** Text without colours in lines of any length. */
export const UNSTYLED: Look = {
  width: Number.POSITIVE_INFINITY,
  text: asIs,
  bold: asIs,
  dim: asIs,
  warn: asIs,
  strike: (text) => `~~${text}~~`,
};

/** The width of a report outside of a terminal, unless COLUMNS says otherwise. */
const FILE_WIDTH = 160;

export function lookOf(stream: Output): Look {
  const styled = (style: 'bold' | 'dim' | 'red' | 'strikethrough') => (text: string) => {
    return styleText(style, text, { stream });
  };
  // Not every terminal can cross text out.
  const strike = (text: string) => styled('strikethrough')(`~~${text}~~`);
  const columns = stream.isTTY ? stream.columns : Number(process.env.COLUMNS);
  const width = columns || FILE_WIDTH;
  const text = showsUnicode(process.env) ? asIs : ascii;
  return { width, text, bold: styled('bold'), dim: styled('dim'), warn: styled('red'), strike };
}

/** What replaces a character where only ASCII can be shown. */
const SIGNS: Readonly<Record<string, string>> = {
  '±': '+-',
  µ: 'u',
  '×': 'x',
  '÷': '/',
  '≤': '<=',
  '≥': '>=',
  '–': '-',
  '−': '-',
  '─': '-',
  '“': '"',
  '”': '"',
  '’': "'",
  '•': '*',
  '▸': '>',
  '█': '#',
  '▒': ':',
  '░': '.',
};

/** A text in ASCII: letters without accents, and `?` for what has no replacement. */
export function ascii(text: string): string {
  return text.replaceAll(/[^\0-\x7F]/gu, (sign) => {
    return SIGNS[sign] ?? (sign.normalize('NFKD').replaceAll(/[^\0-\x7F]/gu, '') || '?');
  });
}

/** Whether more than ASCII can be shown. It can where no locale is set, as in most containers. */
export function showsUnicode({ TERM, LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG || '';
  return TERM !== 'dumb' && (locale === '' || /utf-?8/i.test(locale));
}

/** A space between words, but not before a unit, around an equals sign, or before or in an interval. */
const BREAK = /(?<!=|\[[^\]\s]+,) (?!=|\[|(?:%|[mµ]?s|MB)(?:\W|$))/;

/** Breaks a text into lines of at most this width, between words. */
export function wrap(text: string, width: number): string {
  const lines = [''];
  for (const word of text.split(BREAK)) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}
