/** The documents, the code in them, and the commands that they show. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lexer, walkTokens } from 'marked';
import { parseArgsStringToArgv } from 'string-argv';
import { z } from 'zod';

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

export const SCRIPTS = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))).scripts;

/** Placeholders in the documents, and what tests use for them. */
export const STAND_INS = {
  FILE: 'docs/runs/quick-1.json.gz',
  OTHER: 'docs/runs/quick-2.json.gz',
  FOLDER: 'packages',
  'hono-app': 'express-app',
  'my-comparison': 'workloads/ladder',
  'my-app': 'packages/node-http',
};
/** The operands of commands that a document only names. */
const OPERANDS: Record<string, string[]> = {
  report: [STAND_INS.FILE],
  run: ['packages/node-http'],
  ab: ['express-app', 'fastify-app'],
};
const PLACEHOLDERS = new RegExp(`\\b(?:${Object.keys(STAND_INS).join('|')})\\b`, 'g');

/** Every pnpm command in the documents, once: its words after `pnpm`, and the document that shows it first. */
export const SHOWN = unique(
  DOCUMENTS.toReversed().flatMap(({ path, ...code }) => {
    return pnpmCommands(code).map((words) => ({ document: path, words }));
  }),
  ({ words }) => words.join(' '),
);

/** Every documented command line of the program, once. */
export const DOCUMENTED = unique(
  SHOWN.flatMap(({ words }) => {
    const args = argumentsOf(words);
    return args.length === 0 ? [] : [{ line: args.join(' '), args }];
  }),
  ({ line }) => line,
);

/** One for each key, the last. */
function unique<T>(all: T[], key: (each: T) => string): T[] {
  return [...new Map(all.map((each) => [key(each), each])).values()];
}

const NOT_MEASURING = ['verify', 'report', 'compare', 'site', 'open', 'k8s'];
/** These need other machines, which `launch/server-host` and `load/generator-hosts` make for their tests. */
const OF_HOSTS = ['--server-host', '--generator-hosts'];

/** The commands that measure on this machine alone, and save a record. */
export const MEASURING = DOCUMENTED.filter(({ args }) => {
  return !NOT_MEASURING.includes(args[0] ?? '') && !args.some((word) => OF_HOSTS.includes(word));
});

/** The documented lines of a command that measures nothing. */
export function linesOf(command: 'verify' | 'report' | 'compare') {
  return DOCUMENTED.filter(({ args: [first] }) => first === command);
}

/** Adds options after the documented ones, but before the command of a server. */
export function withOptions(args: string[], ...options: string[]): string[] {
  const dashes = args.indexOf('--');
  return args.toSpliced(dashes === -1 ? args.length : dashes, 0, ...options);
}

/** The arguments of the program, without placeholders; none for other scripts. */
function argumentsOf([script = '', ...rest]: string[]): string[] {
  if (script !== 'bench' && !script.startsWith('bench:')) return [];
  const standIns: Record<string, string> = STAND_INS;
  const args = rest.map((word) => word.replaceAll(PLACEHOLDERS, (name) => standIns[name] ?? name));
  const given = script === 'bench' ? args : [script.slice('bench:'.length), ...args];
  const [command = '', ...others] = given;
  return others.length === 0 ? [...given, ...(OPERANDS[command] ?? [])] : given;
}
