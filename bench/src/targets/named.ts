import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgsStringToArgv } from 'string-argv';
import { z } from 'zod';
import { messageOf, UserError } from '../base/errors.ts';
import type { LocalTarget, Target } from './targets.ts';

/** What all servers that the command line names have in common. */
export interface Common {
  request: Target['request'];
  env: Record<string, string>;
  /** For the tables, in the order of the servers. */
  names: readonly string[];
}

/** A server that the command line names. Its answer is not known yet. */
export type Named = Omit<LocalTarget, 'expect'>;

/** Where a server is, how it is started, and what it is called. */
export type Place = Pick<LocalTarget, 'directory' | 'start' | 'up' | 'label'>;

/** The server of a command that is given word by word, where the user stands. */
export function ofCommand([program, ...rest]: string[], standing: string): Place {
  if (program === undefined) {
    throw new UserError('no command', 'Give one after --, as `-- node server.js`.');
  }
  const label = [basename(program), ...rest].join(' ');
  return { directory: standing, start: [program, ...rest], up: null, label };
}

/**
 * The server of one word of the command line: a folder with a `start` script, or a command in quotes.
 * @throws UserError for a folder without one, and a command without a word.
 */
export function ofWord(word: string, standing: string): Place {
  const directory = resolve(standing, word);
  if (!isFolder(directory)) return ofCommand(parseArgsStringToArgv(word), standing);
  const manifest = join(directory, 'package.json');
  const script = startScript(manifest);
  if (script === null) {
    throw new UserError(
      `${manifest} has no "start" script`,
      'Add one, or give the command that starts the server, in quotes.',
    );
  }
  return { ...ofCommand(parseArgsStringToArgv(script), directory), label: basename(directory) };
}

/** A server that is already up there, as these processes. */
export function ofUrl(origin: string, pids: readonly number[], standing: string): Place {
  return {
    directory: standing,
    start: [origin],
    up: { origin, pids },
    label: new URL(origin).host,
  };
}

/** Servers with names of their own, asked what all are asked. */
export function namedTargets(places: readonly Place[], common: Common): Named[] {
  const { names, request, env } = common;
  const labels = places.map(({ label }, index) => names[index] ?? label);
  return places.map((place, index) => {
    const label = labels[index] ?? place.label;
    const isTaken = labels.indexOf(label) !== index;
    return {
      ...place,
      label: isTaken ? `${label} (${index + 1})` : label,
      name: `${index + 1}-${slug(label)}`,
      suite: null,
      over: null,
      env,
      port: null,
      insists: null,
      request,
    };
  });
}

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
