import { existsSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgsStringToArgv } from 'string-argv';
import { z } from 'zod';
import { UserError } from '../base/errors.ts';
import type { Exchange, Expectation } from './exchange.ts';
import { readManifest } from './manifest.ts';
import { type LocalTarget, readFolder, TARGET_DEFAULTS } from './targets.ts';

/** What all servers that the command line names have in common, unless they declare otherwise. */
interface NamingOptions {
  requests: readonly Exchange['request'][];
  /** Whether these requests were asked for, and replace those that a server declares. */
  isAsked: boolean;
  env: Record<string, string>;
  /** The labels in tables, in the order of the servers. */
  names: readonly string[];
}

/** The server of a command that is given as separate words, run in this folder. @throws UserError without any word. */
export function serverOfCommand(words: readonly string[], cwd: string): LocalTarget {
  const [program, ...rest] = words;
  if (program === undefined) {
    throw new UserError('no command', 'Give one after --, as `-- node server.js`.');
  }
  const label = [basename(program), ...rest].join(' ');
  return undeclared({ directory: cwd, start: [program, ...rest], label });
}

const manifestSchema = z.object({ scripts: z.object({ start: z.string() }) });

/** The server that a word names: a folder, or else a command. @throws UserError for a folder without a start script. */
export function serverOfWord(word: string, cwd: string, packages = cwd): LocalTarget {
  const directory = folderOf(word, cwd, packages);
  if (directory === undefined) return serverOfCommand(parseArgsStringToArgv(word), cwd);
  const target = readFolder(directory);
  if (target !== null) return target;
  const { data: manifest } = manifestSchema.safeParse(readManifest(directory));
  const [program, ...rest] = parseArgsStringToArgv(manifest?.scripts.start ?? '');
  if (program === undefined) {
    throw new UserError(
      `${join(directory, 'package.json')} has no "start" script`,
      'Add one, or give the command that starts the server, in quotes.',
    );
  }
  return undeclared({ directory, start: [program, ...rest], label: basename(directory) });
}

/** A server that already runs at this origin, as these processes. */
export function serverOfUrl(origin: string, pids: readonly number[], cwd: string): LocalTarget {
  const { host } = new URL(origin);
  return undeclared({ directory: cwd, start: [origin], label: host, external: { origin, pids } });
}

function undeclared(
  server: Pick<LocalTarget, 'directory' | 'start' | 'label'> & Partial<LocalTarget>,
): LocalTarget {
  const empty = { ...TARGET_DEFAULTS, name: server.label, requests: [], hidesRequests: true };
  return { ...empty, ...server };
}

/** A folder as it was at a revision of its repository, written as `./my-app@main`. */
export interface Revision {
  folder: string;
  revision: string;
  label: string;
}

/** The folder and revision that a word names; null for any other word. */
export function revisionOf(word: string, cwd: string, packages: string): Revision | null {
  if (isFolder(resolve(cwd, word))) return null;
  for (let at = word.indexOf('@'); at !== -1; at = word.indexOf('@', at + 1)) {
    const [name, revision] = [word.slice(0, at), word.slice(at + 1)];
    const folder = folderOf(name, cwd, packages);
    if (folder !== undefined && revision !== '') return { folder, revision, label: word };
  }
  return null;
}

const UNKNOWN: Expectation = { status: 200, headers: {}, body: { kind: 'any' } };
const LONGEST_SLUG = 32;

/** The servers with unique names and labels. Those that declare no requests are sent the common ones. */
export function namedTargets(
  servers: readonly LocalTarget[],
  { names, requests, isAsked, env }: NamingOptions,
): LocalTarget[] {
  const labels: string[] = [];
  const common = requests.map((request) => ({ request, weight: 1, expect: UNKNOWN }));
  return servers.map((target, place) => {
    const own = names[place] ?? target.label;
    let label = own;
    for (let number = place + 1; labels.includes(label); number++) label = `${own} (${number})`;
    labels.push(label);
    // Part of file names.
    const slug = own
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '');
    const hidesRequests = target.hidesRequests || isAsked;
    return {
      ...target,
      name: `${place + 1}-${slug.slice(0, LONGEST_SLUG)}`,
      label,
      requests: hidesRequests ? common : target.requests,
      hidesRequests,
      passed: env,
    };
  });
}

/** The folder of this name, relative to the caller's folder or else to that of the targets. */
function folderOf(name: string, cwd: string, packages: string): string | undefined {
  return [resolve(cwd, name), resolve(packages, name)].find(isFolder);
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
