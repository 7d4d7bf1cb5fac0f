/** A space between words, but not before a unit or around an equals sign. */
const BREAK = /(?<!=) (?!=|(?:%|[mµ]?s|MB)(?:\W|$))/;

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
