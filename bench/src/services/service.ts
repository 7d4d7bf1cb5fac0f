import { join } from 'node:path';
import { UserError } from '../base/errors.ts';
import { findProgram } from '../system/on-path.ts';

/** Services listen on this address, and on a Unix socket. */
export const LOOPBACK = '127.0.0.1';

/** Where an instance of a service is. Its folder is removed with the run's. */
export interface Place {
  folder: string;
  /** The folder of its data, inside its own. It exists when the service starts. */
  data: string;
  /** The path of its Unix socket, at most 107 bytes long. */
  socket: string;
  port: number;
}

/** A database or cache that is started for servers under test. */
export interface Service {
  label: string;
  /** The names of its program in different distributions. */
  program: readonly string[];
  /** The Debian packages with its programs. */
  packages: readonly string[];
  /** The arguments that print its version, and a pattern that finds it in the output. */
  version: { args: readonly string[]; pattern: RegExp };
  /**
   * The program that initializes its data. The result is cached for each version and copied for each start, and so are
   * seeded data: all that was stored is in the folder once it was stopped by SIGTERM. Null if it keeps nothing on disk.
   */
  fresh: { program: readonly string[]; args(data: string): string[] } | null;
  /** Files that it reads when it starts, by their names in its folder. */
  files: Readonly<Record<string, string>>;
  /** The arguments that start an instance in this place without the machine's configuration. */
  args(place: Place): string[];
  /** What to send to it, and whether bytes are its first answer once it serves. */
  greeting: { say: string; isAnswer(bytes: Buffer): boolean };
  /** The environment variables that tell servers and seeds where it is. */
  environment(place: Place): Record<string, string>;
}

/** The most connections that a service accepts: a server may open one per request in flight. */
export const MOST_CONNECTIONS = 10_000;

/** Debian's folders for servers, which are not on a user's PATH. */
const USUAL_FOLDERS = ['/usr/sbin', '/usr/local/sbin'];

/** The path of the program with one of these names. @throws UserError if none is here. */
export function programNamed(names: readonly string[]): string {
  const found = findProgram(names, USUAL_FOLDERS);
  if (found !== null) return found;
  throw new UserError(`${names[0]} is not here any more`, 'Install it again.');
}

/** Where a program with one of these names may be: names to look for on the PATH, and full paths. */
export function pathsOf(names: readonly string[]): string[] {
  return names.flatMap((name) => [name, ...USUAL_FOLDERS.map((folder) => join(folder, name))]);
}
