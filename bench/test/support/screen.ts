/**
 * What a terminal shows after all of this was written to it, line by line, without what is blank at the
 * end. Colours are left out; lines that are too long are not wrapped.
 * @throws for control sequences that it does not know.
 */
export function screenOf(written: string): string[] {
  const lines: string[] = [''];
  let row = 0;
  let column = 0;
  const put = (text: string) => {
    const line = lines[row] ?? '';
    lines[row] = line.slice(0, column).padEnd(column) + text + line.slice(column + text.length);
    column += text.length;
  };
  const erase = (from: number) => {
    lines[row] = (lines[row] ?? '').slice(0, from);
  };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are controlled by them
  const PIECES = /\u001b\[(\??[\d;]*)([A-Za-z])|\r|\n|[^\u001b\r\n]+|\u001b/g;
  for (const [piece, argument = '', command] of written.matchAll(PIECES)) {
    const count = argument === '' ? 1 : Number(argument);
    if (piece === '\r' || command === 'G') column = 0;
    else if (piece === '\n') {
      row++;
      column = 0;
    } else if (command === 'A') row = Math.max(0, row - count);
    else if (command === 'B') row += count;
    else if (command === 'K') erase(argument === '2' ? 0 : column);
    else if (command === 'm' || argument.startsWith('?')) continue;
    else if (command !== undefined || piece === '\u001b') {
      throw new Error(`an unknown control sequence: ${JSON.stringify(piece)}`);
    } else put(piece);
  }
  const shown = Array.from(lines, (line = '') => line.trimEnd());
  return shown.slice(0, shown.findLastIndex((line) => line !== '') + 1);
}
