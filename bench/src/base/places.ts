/** Where the harness finds things, and where it puts them; all absolute. */
import { homedir } from 'node:os';
import { extname, join } from 'node:path';

/** The code of the harness: its files start others of these as processes. */
export const SRC = join(import.meta.dirname, '..');
/** How files of the code end: as TypeScript in a checkout, compiled in the npm package. */
export const CODE_EXTENSION = extname(import.meta.filename);
/** Whether this is the npm package rather than a checkout. */
export const IS_PACKAGE = CODE_EXTENSION === '.js';
/** What a user types before a command. */
export const PROGRAM = IS_PACKAGE ? 'overhead' : 'pnpm bench';
/** The code, and the servers that belong to it. */
export const BENCH = join(SRC, '..');
/** The checkout, or the installed package. */
export const ROOT = join(BENCH, '..');
/** Where the user's targets and results are: the checkout, or the project that the package is used in. */
export const PROJECT = IS_PACKAGE ? standing() : ROOT;
/** Targets, unless `--packages` says otherwise. */
export const PACKAGES = join(PROJECT, 'packages');
/** Servers that do a whole piece of work, one folder for each; a workload has its own dependencies. */
export const WORKLOADS = join(PROJECT, 'workloads');
/** Records, unless `--out` says otherwise. */
export const RESULTS = join(PROJECT, 'results');
/** Figures that others published. */
export const PUBLISHED = join(BENCH, 'published');
/** The server that sends a canned answer. */
export const CANNED_FOLDER = join(BENCH, 'canned');
/** The floor of servers that the command line names. */
export const ANSWERING_FOLDER = join(BENCH, 'answering');
/** Servers of known cost and size. */
export const TRUTH_FOLDER = join(BENCH, 'truth');
/**
 * Where the user stands: pnpm goes to the checkout before it runs a script, and says in the environment
 * where it was called.
 */
export function standing(): string {
  return process.env.INIT_CWD ?? process.cwd();
}
/** Servers that are registered twice, under two names. */
export const TWINS_FOLDER = join(BENCH, 'twins');

/** What takes long to get or to make, and may be removed at any time. */
export function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'overhead');
}
