/** The documents, and the code in them. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lexer, walkTokens } from 'marked';
import { parseArgsStringToArgv } from 'string-argv';

export const ROOT = join(import.meta.dirname, '../../..');

interface Document {
  /** From the root of the repository. */
  path: string;
  /** Inline code. */
  spans: string[];
  /** Blocks of code. */
  blocks: string[];
  /** Inline code in the first column of tables. */
  keys: string[];
}

const PATHS = globSync(['*.md', 'docs/*.md', 'workloads/*/*.md'], { cwd: ROOT }).sort();
export const DOCUMENTS = PATHS.map(readDocument);

/** The document at this path. @throws when there is none. */
export function documentAt(path: string): Document {
  const document = DOCUMENTS.find((each) => each.path === path);
  if (document === undefined) throw new Error(`there is no ${path}`);
  return document;
}

function readDocument(path: string): Document {
  const document: Document = { path, spans: [], blocks: [], keys: [] };
  walkTokens(lexer(readFileSync(join(ROOT, path), 'utf8')), (token) => {
    if (token.type === 'codespan') document.spans.push(token.text);
    if (token.type === 'code') document.blocks.push(token.text);
    if (token.type !== 'table') return;
    for (const [first] of token.rows) {
      walkTokens(first.tokens, (inner) => {
        if (inner.type === 'codespan') document.keys.push(inner.text);
      });
    }
  });
  return document;
}

/** The words after `pnpm` of every command in this code. */
export function pnpmCommands({ spans, blocks }: Pick<Document, 'spans' | 'blocks'>): string[][] {
  const lines = blocks.flatMap((block) => block.replaceAll(/\\\n\s*/g, '').split('\n'));
  return [...spans, ...lines].flatMap((line) => {
    const [command = ''] = line.replace(/^\s*\$ /, '').split(/\s#/);
    return command.split(/&&|\||;/).flatMap((part) => {
      const words = parseArgsStringToArgv(part);
      while (/^[A-Z_]+=/.test(words[0] ?? '')) words.shift();
      if (words[0] === 'npx' && words[2]?.startsWith('pnpm@')) words.splice(0, 2);
      const isPnpm = /^pnpm(@|$)/.test(words.shift() ?? '');
      return isPnpm && words.length > 0 ? [words] : [];
    });
  });
}
