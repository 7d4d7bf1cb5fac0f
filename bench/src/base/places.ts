/** Where the harness finds things, and where it puts them; all absolute. */
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The package of the harness itself. */
export const BENCH = join(import.meta.dirname, '../..');
/** The checkout. */
export const ROOT = join(BENCH, '..');
/** Targets, unless `--packages` says otherwise. */
export const PACKAGES = join(ROOT, 'packages');
/** Servers that do a whole piece of work, one folder for each; a workload has its own dependencies. */
export const WORKLOADS = join(ROOT, 'workloads');
/** Records, unless `--out` says otherwise. */
export const RESULTS = join(ROOT, 'results');
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
