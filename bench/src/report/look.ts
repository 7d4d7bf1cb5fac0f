import { styleText } from 'node:util';
import type { Look } from './table.ts';

/** The width of a report that goes to no terminal, unless COLUMNS says otherwise. */
const FILE_WIDTH = 160;

/** How text looks best on this stream. */
export function lookOf(stream: NodeJS.WriteStream): Look {
  const styled = (style: 'bold' | 'dim' | 'red') => (text: string) => {
    return styleText(style, text, { stream });
  };
  const strike = (text: string) => {
    const struck = styleText('strikethrough', text, { stream });
    return struck === text ? `~~${text}~~` : struck;
  };
  const width = stream.isTTY ? stream.columns : Number(process.env.COLUMNS) || FILE_WIDTH;
  return { width, bold: styled('bold'), dim: styled('dim'), warn: styled('red'), strike };
}
