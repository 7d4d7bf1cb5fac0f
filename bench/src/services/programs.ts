import { join } from 'node:path';
import { findProgram } from '../system/on-path.ts';
import type { Service } from './service.ts';

/** Debian's folders for servers, which are not on a user's PATH. */
const USUAL_FOLDERS = ['/usr/sbin', '/usr/local/sbin'];

/** The programs of a service on this machine, or the name of one that is missing. */
export type Programs =
  | { state: 'found'; server: string; fresh: string | null }
  | { state: 'missing'; program: string };

export function programsOf({ program, fresh }: Pick<Service, 'program' | 'fresh'>): Programs {
  const server = findProgram(program, USUAL_FOLDERS);
  if (server === null) return { state: 'missing', program: program[0] ?? '' };
  if (fresh === null) return { state: 'found', server, fresh: null };
  const making = findProgram(fresh.program, USUAL_FOLDERS);
  if (making === null) return { state: 'missing', program: fresh.program[0] ?? '' };
  return { state: 'found', server, fresh: making };
}

/** Where a program with one of these names may be: names to look for on the PATH, and full paths. */
export function pathsOf(names: readonly string[]): string[] {
  return names.flatMap((name) => [name, ...USUAL_FOLDERS.map((folder) => join(folder, name))]);
}
