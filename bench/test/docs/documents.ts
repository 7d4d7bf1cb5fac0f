/** What the documents say, as a reader of Markdown sees it. */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lexer, walkTokens } from 'marked';
import { parseArgsStringToArgv } from 'string-argv';

export const ROOT = join(import.meta.dirname, '../../..');

export interface Document {
  /** From the root of the repository. */
  path: string;
  /** Pieces of code within the text. */
  spans: string[];
  /** Blocks of code. */
  blocks: string[];
  /** The pieces of code in the first column of its tables. */
  keys: string[];
}

/** Every document that people read. */
export const DOCUMENTS: Document[] = globSync(['*.md', 'docs/*.md', 'workloads/*/*.md'], {
  cwd: ROOT,
})
  .sort()
  .map((path) => ({ path, ...codeIn(readFileSync(join(ROOT, path), 'utf8')) }));

/** The document at this path. @throws when there is none. */
export function documentAt(path: string): Document {
  const document = DOCUMENTS.find((each) => each.path === path);
  if (document === undefined) throw new Error(`there is no ${path}`);
  return document;
}

/** The code in a Markdown text. */
export function codeIn(markdown: string): Omit<Document, 'path'> {
  const code: Omit<Document, 'path'> = { spans: [], blocks: [], keys: [] };
  walkTokens(lexer(markdown), (token) => {
    if (token.type === 'codespan') code.spans.push(token.text);
    if (token.type === 'code') code.blocks.push(token.text);
    if (token.type !== 'table') return;
    for (const [first] of token.rows) {
      walkTokens(first.tokens, (inner) => {
        if (inner.type === 'codespan') code.keys.push(inner.text);
      });
    }
  });
  return code;
}

/** The words after `pnpm` of every command that these pieces of code show. */
export function pnpmCommands({ spans, blocks }: Pick<Document, 'spans' | 'blocks'>): string[][] {
  const lines = blocks.flatMap((block) => block.replaceAll(/\\\n\s*/g, '').split('\n'));
  return [...spans, ...lines].flatMap((line) => {
    const [command = ''] = line.replace(/^\s*\$ /, '').split(/\s#/);
    return command.split(/&&|\||;/).flatMap((part) => {
      const words = parseArgsStringToArgv(part);
      while (/^[A-Z_]+=/.test(words[0] ?? '')) words.shift();
      const isNpx = words[0] === 'npx' && words[2]?.startsWith('pnpm@');
      const after = isNpx ? words.slice(3) : words[0] === 'pnpm' ? words.slice(1) : [];
      return after.length > 0 ? [after] : [];
    });
  });
}
