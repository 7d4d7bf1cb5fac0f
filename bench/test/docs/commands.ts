/** The commands of the program that documents show. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DOCUMENTS, pnpmCommands, ROOT } from './documents.ts';

/** The scripts of the repository, by name. */
export const SCRIPTS = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))).scripts;

export interface Shown {
  /** The document that shows it first. */
  document: string;
  /** The words after `pnpm`. */
  words: string[];
}

/** What stands for something of the reader's own, and what a test takes for it. */
export const STAND_INS = {
  FILE: 'docs/runs/quick-1.json.gz',
  OTHER: 'docs/runs/quick-2.json.gz',
  FOLDER: 'packages',
  'hono-app': 'express-app',
  'my-comparison': 'workloads/ladder',
  'my-app': 'packages/node-http',
};
const STANDING = new RegExp(`\\b(?:${Object.keys(STAND_INS).join('|')})\\b`, 'g');

/** Every command for pnpm that some document shows, once. */
export const SHOWN: Shown[] = [
  ...new Map(
    DOCUMENTS.toReversed().flatMap((document) => {
      return pnpmCommands(document).map((words): [string, Shown] => {
        return [words.join(' '), { document: document.path, words }];
      });
    }),
  ).values(),
];

/** A command of the program, as it is documented. */
export interface Documented {
  line: string;
  args: string[];
}

/** Every documented command line of the program, once. */
export const DOCUMENTED: Documented[] = [
  ...new Map(
    SHOWN.flatMap((each) => {
      const args = argumentsOf(each) ?? [];
      return args.length === 0 ? [] : [[args.join(' '), args] as const];
    }),
  ),
].map(([line, args]) => ({ line, args }));

const NOT_MEASURING = ['verify', 'report', 'compare', 'site', 'open', 'k8s'];

/** They need other machines, which `launch/server-host` and `load/generator-hosts` make for their tests. */
const OF_HOSTS = ['--server-host', '--generator-hosts'];

/** Those that measure on this machine alone, and leave a record. */
export const MEASURING = DOCUMENTED.filter(({ args }) => {
  return !NOT_MEASURING.includes(args[0] ?? '') && !args.some((word) => OF_HOSTS.includes(word));
});

/** The documented lines of a command that measures nothing. */
export function linesOf(command: 'verify' | 'report' | 'compare' | 'site'): Documented[] {
  return DOCUMENTED.filter(({ args: [first] }) => first === command);
}

/** With options of our own after those that are documented, but before a command of the reader's. */
export function withOptions(args: string[], ...options: string[]): string[] {
  const dashes = args.indexOf('--');
  return args.toSpliced(dashes === -1 ? args.length : dashes, 0, ...options);
}

/** The arguments of the program, with something real for what stands for the reader's; null for other scripts. */
export function argumentsOf({ words: [script = '', ...rest] }: Shown): string[] | null {
  if (script !== 'bench' && !script.startsWith('bench:')) return null;
  const standIns: Record<string, string> = STAND_INS;
  const args = rest.map((word) => word.replaceAll(STANDING, (name) => standIns[name] ?? name));
  const given = script === 'bench' ? args : [script.slice('bench:'.length), ...args];
  // The command is only named.
  if (given.length === 1 && given[0] === 'report') return [...given, STAND_INS.FILE];
  if (given.length === 1 && given[0] === 'run') return [...given, 'packages/node-http'];
  if (given.length === 1 && given[0] === 'ab') return [...given, 'express-app', 'fastify-app'];
  return given;
}
