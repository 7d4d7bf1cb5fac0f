/** The commands that documents show. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DOCUMENTS, pnpmCommands, ROOT } from './documents.ts';

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
