import jsTokens, { type Token } from 'js-tokens';

const NO_CODE: ReadonlySet<Token['type']> = new Set<Token['type']>([
  ...(['MultiLineComment', 'SingleLineComment', 'HashbangComment'] as const),
  ...(['WhiteSpace', 'LineTerminatorSequence'] as const),
]);

/** Counts the lines of a TypeScript or JavaScript source that are neither blank, nor comment, nor import. */
export function countCodeLines(source: string): number {
  const isBlank = source.split('\n').map((line) => line.trim() === '');
  const lines = new Set<number>();
  let isImport = false;
  let previous = ';';
  const tokens = codeTokensOf(source);
  for (const [place, { value, line, lastLine }] of tokens.entries()) {
    // `import(…)` and `import.meta` are code.
    if (value === 'import' && previous === ';') {
      isImport = !['(', '.'].includes(tokens[place + 1]?.value ?? '');
    }
    for (let each = line; !isImport && each <= lastLine; each++) {
      if (!isBlank[each]) lines.add(each);
    }
    if (value === ';') isImport = false;
    previous = value;
  }
  return lines.size;
}

/** The tokens of a source except comments and white space, each with its first and last line, from 0. */
function codeTokensOf(source: string): { value: string; line: number; lastLine: number }[] {
  let lastLine = 0;
  return [...jsTokens(source)].flatMap(({ type, value }) => {
    const line = lastLine;
    lastLine += value.split('\n').length - 1;
    return NO_CODE.has(type) ? [] : [{ value, line, lastLine }];
  });
}
