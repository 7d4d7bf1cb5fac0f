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

/** What stands for something of the reader's own, and what a test takes for it. */
const STAND_INS: Record<string, string> = {
  FILE: 'docs/runs/frameworks.json',
  FOLDER: 'packages',
  'hono-app': 'express-app',
};

/** The arguments of the program, with something real for what stands for the reader's; null for other scripts. */
export function argumentsOf({ words: [script = '', ...rest] }: Shown): string[] | null {
  if (script !== 'bench' && !script.startsWith('bench:')) return null;
  const args = rest.map((word) =>
    word.replaceAll(/FILE|FOLDER|hono-app/g, (name) => STAND_INS[name] ?? name),
  );
  const given = script === 'bench' ? args : [script.slice('bench:'.length), ...args];
  // The command is only named.
  if (given.length === 1 && given[0] === 'report') return [...given, STAND_INS.FILE ?? ''];
  if (given.length === 1 && given[0] === 'run') return [...given, 'packages/node-http'];
  return given;
}
