import { readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ifThere } from '../system/gone.ts';
import { allPids, commandOf, parentOf } from '../system/processes.ts';

/** As `mkdtemp` makes them for a run. */
const RUN_FOLDER = /^overhead-\w{6}$/;
/** A guardian has its folder a moment before it is there itself, and may need some seconds at its end. */
const STARTING_MS = 60_000;

/** The processes, on Linux, of runs that go on beside the one of this folder, and keep theirs beside it. */
export function otherRuns(folder: string): number[] {
  return guardians(folder).flatMap(({ pid, own }) => {
    const parent = own === folder ? null : parentOf(pid);
    // A guardian without its harness is about to end.
    return parent === null || parent === 1 ? [] : [parent];
  });
}

/** Removes the folders beside this one, on Linux, that a run has left which went down with its guardian. */
export function removeAbandoned(folder: string): void {
  if (process.platform !== 'linux') return;
  const names = readdirSync(dirname(folder)).filter((name) => RUN_FOLDER.test(name));
  const old = names.map((name) => join(dirname(folder), name)).filter(isOldAndOwn);
  if (old.length === 0) return;
  const kept = new Set(guardians(folder).map(({ own }) => own));
  for (const path of old) if (!kept.has(path)) rmSync(path, { recursive: true, force: true });
}

function isOldAndOwn(path: string): boolean {
  const found = ifThere(() => statSync(path), null);
  if (found === null || found.uid !== process.getuid?.()) return false;
  return Date.now() - found.mtimeMs > STARTING_MS;
}

/** The guardians of the runs whose folders are beside this one. */
function guardians(folder: string): { pid: number; own: string }[] {
  if (process.platform !== 'linux') return [];
  return allPids().flatMap((pid) => {
    const [, script = '', own = ''] = commandOf(pid);
    const isGuardian = /\/launch\/guard\.[jt]s$/.test(script);
    return isGuardian && dirname(own) === dirname(folder) ? [{ pid, own }] : [];
  });
}
