import { readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unlessGone } from '../system/proc-files.ts';
import { allPids, parentOf, wordsOf } from '../system/processes.ts';

/** The name that `mkdtemp` gives to the folder of a run. */
const RUN_FOLDER = /^overhead-\w{6}$/;
/** A folder exists a moment before its guardian runs, and a guardian may need some seconds at its end. */
const STARTING_MS = 60_000;

/** The processes, on Linux, of other runs that go on, with their folders beside this one. */
export function otherRuns(folder: string): number[] {
  return guardians(folder).flatMap(({ pid, own }) => {
    const parent = own === folder ? null : parentOf(pid);
    // A guardian without its harness is about to end.
    return parent === null || parent === 1 ? [] : [parent];
  });
}

/** Removes the folders beside this one, on Linux, that are left of runs whose guardian was killed too. */
export function removeAbandoned(folder: string): void {
  if (process.platform !== 'linux') return;
  const names = readdirSync(dirname(folder)).filter((name) => RUN_FOLDER.test(name));
  const old = names
    .map((name) => join(dirname(folder), name))
    .filter((path) => {
      const found = unlessGone(() => statSync(path), null);
      return found?.uid === process.getuid?.() && Date.now() - Number(found?.mtimeMs) > STARTING_MS;
    });
  if (old.length === 0) return;
  const kept = new Set(guardians(folder).map(({ own }) => own));
  for (const path of old) if (!kept.has(path)) rmSync(path, { recursive: true, force: true });
}

/** The guardians of the runs whose folders are beside this one. */
function guardians(folder: string): { pid: number; own: string }[] {
  return allPids().flatMap((pid) => {
    const [, script = '', own = ''] = wordsOf(pid, 'cmdline');
    const isGuardian = /\/launch\/guard\.[jt]s$/.test(script);
    return isGuardian && dirname(own) === dirname(folder) ? [{ pid, own }] : [];
  });
}
