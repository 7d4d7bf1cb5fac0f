/** Absolute paths of the harness's own files, and of the user's. */
import { homedir } from 'node:os';
import { extname, join, resolve } from 'node:path';

export const SRC = join(import.meta.dirname, '..');
/** The extension of code files: TypeScript in a checkout, compiled in the npm package. */
export const CODE_EXTENSION = extname(import.meta.filename);
/** Whether this is the npm package and not a checkout. */
export const IS_PACKAGE = CODE_EXTENSION === '.js';
/** What a user types before the name of a command. */
export const PROGRAM = IS_PACKAGE ? 'overhead' : 'pnpm bench';
/** The code, and its own servers. */
export const BENCH = join(SRC, '..');
/** The checkout, or the installed package. */
export const ROOT = join(BENCH, '..');
/** Contains the user's targets and results: the checkout, or the project that uses the package. */
export const PROJECT = IS_PACKAGE ? initialCwd() : ROOT;
/** Targets, unless `--packages` says otherwise. */
export const PACKAGES = join(PROJECT, 'packages');
export const WORKLOADS = join(PROJECT, 'workloads');
/** Records, unless `--out` says otherwise. */
export const RESULTS = join(PROJECT, 'results');
/** Published figures of others. */
export const PUBLISHED = join(BENCH, 'published');
export const CANNED_FOLDER = join(BENCH, 'canned');
/** The floor for servers that the command line names. */
export const ANSWERING_FOLDER = join(BENCH, 'answering');
/** Servers of known cost and size. */
export const TRUTH_FOLDER = join(BENCH, 'truth');
/** Servers that are registered twice, under two names. */
export const TWINS_FOLDER = join(BENCH, 'twins');

/** The user's current folder. pnpm changes to the checkout before it runs a script, and sets INIT_CWD. */
export function initialCwd(): string {
  return process.env.INIT_CWD ?? process.cwd();
}

/** A path that the user has given, made absolute. */
export function absolute(path: string): string {
  return resolve(initialCwd(), path);
}

/** The folder of files that are expensive to get or make. It may be removed at any time. */
export function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'overhead');
}
