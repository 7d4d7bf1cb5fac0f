import { existsSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgsStringToArgv } from 'string-argv';
import { z } from 'zod';
import { UserError } from '../base/errors.ts';
import type { Exchange, Expectation } from './exchange.ts';
import { readManifest } from './manifest.ts';
import { type LocalTarget, readFolder, TARGET_DEFAULTS } from './targets.ts';

/** What all servers that the command line names have in common, unless they declare more. */
export interface Common {
  requests: readonly Exchange['request'][];
  /** Whether those are asked for, and not what a server declares. */
  isAsked: boolean;
  env: Record<string, string>;
  /** For the tables, in the order of the servers. */
  names: readonly string[];
}

/** A server that the command line names, and whether somebody has said what it answers. */
export interface Named {
  target: LocalTarget;
  isDeclared: boolean;
}

/** The server of a command that is given word by word, where the user stands. @throws UserError for no word. */
export function ofCommand(words: readonly string[], standing: string): Named {
  const [program, ...rest] = words;
  if (program === undefined) {
    throw new UserError('no command', 'Give one after --, as `-- node server.js`.');
  }
  const label = [basename(program), ...rest].join(' ');
  return undeclared({ directory: standing, start: [program, ...rest], label });
}

/**
 * The server of one word of the command line: a folder with a `bench` block or a `start` script, where the user
 * stands or among the targets, or a command in quotes.
 * @throws UserError for a folder with neither, and a command without a word.
 */
export function ofWord(word: string, standing: string, packages = standing): Named {
  const directory = folderOf(word, standing, packages);
  if (directory === undefined) return ofCommand(parseArgsStringToArgv(word), standing);
  const target = readFolder(directory);
  if (target !== null) return { target, isDeclared: true };
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

const manifestSchema = z.object({ scripts: z.object({ start: z.string() }) });

/** A server that is already up there, as these processes. */
export function ofUrl(origin: string, pids: readonly number[], standing: string): Named {
  const { host } = new URL(origin);
  const external = { origin, pids };
  return undeclared({ directory: standing, start: [origin], label: host, external });
}

function undeclared(
  server: Pick<LocalTarget, 'directory' | 'start' | 'label'> & Partial<LocalTarget>,
): Named {
  const unasked = { name: server.label, requests: [], hidesRequests: true };
  return { target: { ...TARGET_DEFAULTS, ...unasked, ...server }, isDeclared: false };
}

/** A folder as it was at a revision of its repository, as somebody wrote it: `./my-app@main`. */
export interface Revision {
  folder: string;
  revision: string;
  label: string;
}

/** What a word names that is a folder, where the user stands or among the targets, and a revision; null for any other. */
export function revisionOf(word: string, standing: string, packages: string): Revision | null {
  if (isFolder(resolve(standing, word))) return null;
  for (let at = word.indexOf('@'); at !== -1; at = word.indexOf('@', at + 1)) {
    const [name, revision] = [word.slice(0, at), word.slice(at + 1)];
    const folder = folderOf(name, standing, packages);
    if (folder !== undefined && revision !== '') return { folder, revision, label: word };
  }
  return null;
}

/** Servers with names of their own; those that declare nothing are asked what all are asked. */
export function namedTargets(
  servers: readonly Named[],
  { names, requests: asked, isAsked, env }: Common,
): Named[] {
  const wanted = servers.map(({ target: { label } }, place) => names[place] ?? label);
  const labels = toldApart(wanted);
  const unknown = asked.map((request) => ({ request, weight: 1, expect: UNKNOWN }));
  return servers.map((server, place) => {
    const { target } = server;
    const isDeclared = server.isDeclared && !isAsked;
    const [own = target.label, label = own] = [wanted[place], labels[place]];
    const requests = isDeclared ? target.requests : unknown;
    const hidesRequests = target.hidesRequests || !isDeclared;
    const name = `${place + 1}-${slug(own)}`;
    return { target: { ...target, name, label, requests, hidesRequests, passed: env }, isDeclared };
  });
}

/** These labels, with a number where one has been there already. */
function toldApart(wanted: readonly string[]): string[] {
  const labels: string[] = [];
  for (const [index, own] of wanted.entries()) {
    let label = own;
    for (let number = index + 1; labels.includes(label); number++) label = `${own} (${number})`;
    labels.push(label);
  }
  return labels;
}

const UNKNOWN: Expectation = { status: 200, headers: {}, body: { kind: 'any' } };

const LONGEST_SLUG = 32;

/** For names of files and servers. */
function slug(label: string): string {
  const plain = label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return plain.replaceAll(/^-|-$/g, '').slice(0, LONGEST_SLUG);
}

/** The folder of this name where the user stands, or else among the targets. */
function folderOf(name: string, standing: string, packages: string): string | undefined {
  return [resolve(standing, name), resolve(packages, name)].find(isFolder);
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
