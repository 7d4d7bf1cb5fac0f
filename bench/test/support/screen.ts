import { Writable } from 'node:stream';

/** A stream that keeps what is written, and calls `onText` with all of it each time. */
export function collect(onText = (_text: string) => {}) {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      onText(text);
      done();
    },
  });
  return { stream, text: () => text };
}

/** The lines on a terminal after this, without trailing blanks, colours or wrapping. @throws for unknown sequences. */
export function screenOf(written: string): string[] {
  const lines: string[] = [''];
  let row = 0;
  let column = 0;
  const put = (text: string) => {
    const line = lines[row] ?? '';
    lines[row] = line.slice(0, column).padEnd(column) + text + line.slice(column + text.length);
    column += text.length;
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
    else if (command === 'K')
      lines[row] = lines[row]?.slice(0, argument === '2' ? 0 : column) ?? '';
    else if (command === 'm' || argument.startsWith('?')) continue;
    else if (command !== undefined || piece === '\u001b') {
      throw new Error(`an unknown control sequence: ${JSON.stringify(piece)}`);
    } else put(piece);
  }
  const shown = Array.from(lines, (line = '') => line.trimEnd());
  return shown.slice(0, shown.findLastIndex((line) => line !== '') + 1);
}
