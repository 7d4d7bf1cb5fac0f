/** Where the harness finds and puts files; all paths are absolute. */
import { homedir } from 'node:os';
import { extname, join } from 'node:path';

/** The code of the harness, some of whose files are started as processes. */
export const SRC = join(import.meta.dirname, '..');
/** The extension of code files: TypeScript in a checkout, compiled in the npm package. */
export const CODE_EXTENSION = extname(import.meta.filename);
/** Whether this is the npm package, not a checkout. */
export const IS_PACKAGE = CODE_EXTENSION === '.js';
/** What a user types before a command. */
export const PROGRAM = IS_PACKAGE ? 'overhead' : 'pnpm bench';
/** The code, and the servers that belong to it. */
export const BENCH = join(SRC, '..');
/** The checkout, or the installed package. */
export const ROOT = join(BENCH, '..');
/** Where the user's targets and results are: the checkout, or the project that uses the package. */
export const PROJECT = IS_PACKAGE ? initialCwd() : ROOT;
/** Targets, unless `--packages` says otherwise. */
export const PACKAGES = join(PROJECT, 'packages');
/** Workloads, one folder for each, with dependencies of their own. */
export const WORKLOADS = join(PROJECT, 'workloads');
/** Records, unless `--out` says otherwise. */
export const RESULTS = join(PROJECT, 'results');
/** Published figures of others. */
export const PUBLISHED = join(BENCH, 'published');
/** The server with a canned response. */
export const CANNED_FOLDER = join(BENCH, 'canned');
/** The floor of servers that the command line names. */
export const ANSWERING_FOLDER = join(BENCH, 'answering');
/** Servers of known cost and size. */
export const TRUTH_FOLDER = join(BENCH, 'truth');
/** Servers that are registered twice, under two names. */
export const TWINS_FOLDER = join(BENCH, 'twins');

/** The folder that the user was in: pnpm goes to the checkout before it runs a script, and sets INIT_CWD. */
export function initialCwd(): string {
  return process.env.INIT_CWD ?? process.cwd();
}

/** What is expensive to get or make, and may be removed at any time. */
export function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'overhead');
}
