import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgsStringToArgv } from 'string-argv';
import { z } from 'zod';
import { messageOf, UserError } from '../base/errors.ts';
import type { Exchange, Expectation } from './exchange.ts';
import { type LocalTarget, readFolder, TARGET_DEFAULTS } from './targets.ts';

/** What all servers that the command line names have in common, unless they declare more. */
export interface Common {
  request: Exchange['request'];
  env: Record<string, string>;
  /** For the tables, in the order of the servers. */
  names: readonly string[];
}

/** A server that the command line names, and whether somebody has said what it answers. */
export interface Named {
  target: LocalTarget;
  isDeclared: boolean;
}

/** Where a server is, how it is started, and what it is called; or all of it, as its `bench` block says. */
export type Place =
  | { kind: 'plain'; place: Pick<LocalTarget, 'directory' | 'start' | 'external' | 'label'> }
  | { kind: 'declared'; target: LocalTarget };

/** The server of a command that is given word by word, where the user stands. */
export function ofCommand([program, ...rest]: string[], standing: string): Place {
  if (program === undefined) {
    throw new UserError('no command', 'Give one after --, as `-- node server.js`.');
  }
  const label = [basename(program), ...rest].join(' ');
  const place = { directory: standing, start: [program, ...rest], external: null, label };
  return { kind: 'plain', place: { ...place, start: [program, ...rest] } };
}

/**
 * The server of one word of the command line: a folder with a `bench` block or a `start` script, or a
 * command in quotes.
 * @throws UserError for a folder with neither, and a command without a word.
 */
export function ofWord(word: string, standing: string): Place {
  const directory = resolve(standing, word);
  if (!isFolder(directory)) return ofCommand(parseArgsStringToArgv(word), standing);
  const target = readFolder(directory);
  if (target !== null) return { kind: 'declared', target };
  const manifest = join(directory, 'package.json');
  const script = startScript(manifest);
  if (script === null) {
    throw new UserError(
      `${manifest} has no "start" script`,
      'Add one, or give the command that starts the server, in quotes.',
    );
  }
  const [program, ...rest] = parseArgsStringToArgv(script);
  if (program === undefined) throw new UserError(`${manifest}: "start" is empty`, 'Correct it.');
  const label = basename(directory);
  return { kind: 'plain', place: { directory, start: [program, ...rest], external: null, label } };
}

/** A server that is already up there, as these processes. */
export function ofUrl(origin: string, pids: readonly number[], standing: string): Place {
  const label = new URL(origin).host;
  const external = { origin, pids };
  return { kind: 'plain', place: { directory: standing, start: [origin], external, label } };
}

/** Servers with names of their own; those that declare nothing are asked what all are asked. */
export function namedTargets(places: readonly Place[], common: Common): Named[] {
  const { names, request, env } = common;
  const labelOf = (each: Place) => (each.kind === 'plain' ? each.place : each.target).label;
  const wanted = places.map((each, index) => names[index] ?? labelOf(each));
  const labels = toldApart(wanted);
  return places.map((each, index) => {
    const own = wanted[index] ?? labelOf(each);
    const label = labels[index] ?? own;
    const name = `${index + 1}-${slug(own)}`;
    if (each.kind === 'declared') {
      const { target } = each;
      const told = { ...target, name, label, passed: env };
      return { target: told, isDeclared: true };
    }
    const requests = [{ request, weight: 1, expect: UNKNOWN }];
    const given = { passed: env, hidesRequests: true, requests };
    const target = { ...TARGET_DEFAULTS, ...each.place, name, label, ...given };
    return { target, isDeclared: false };
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

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

const manifestSchema = z.object({ scripts: z.object({ start: z.string().min(1) }) });

function startScript(manifest: string): string | null {
  if (!existsSync(manifest)) return null;
  try {
    return (
      manifestSchema.safeParse(JSON.parse(readFileSync(manifest, 'utf8'))).data?.scripts.start ??
      null
    );
  } catch (cause) {
    throw new UserError(`can't read ${manifest}: ${messageOf(cause)}`, 'Correct the file.', {
      cause,
    });
  }
}
