import { readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unlessGone } from '../system/proc-files.ts';
import { allPids, statOf, wordsOf } from '../system/processes.ts';
import { portsOf } from '../system/sockets.ts';
import { readMemory } from '../system/usage.ts';
import type { LocalTarget } from '../targets/targets.ts';
import { startGuardian } from './guardian.ts';
import { probeTarget } from './probe.ts';
import { type StartRequest, startVerified } from './ready.ts';
import { contextOf, HOST } from './server.ts';

/** Starts servers; disposing of it ends their processes and removes their files. */
export type LaunchSession = ReturnType<typeof startLaunchSession>;

/** A session of real servers, which listen on this address. Aborting the signal interrupts those that are starting. */
export function startLaunchSession(signal: AbortSignal, address = HOST) {
  const guardian = startGuardian();
  removeAbandoned(guardian.folder);
  const context = contextOf(guardian, signal, address);
  return {
    /** Its own processes, whose CPU time counts as the harness's. */
    pids: [guardian.pid],
    start: (wanted: StartRequest) => startVerified(wanted, context),
    probe: (target: LocalTarget, status: number | null) => probeTarget(target, status, context),
    readMemory,
    /** The ports of these processes that other machines can reach but need not; none if the system does not tell. */
    exposedPorts: (pids: readonly number[]) => {
      return address === HOST ? portsOf(pids, { areExposed: true }) : [];
    },
    /** On Linux the harness processes of other runs on this machine. */
    otherRuns: () => {
      return guardians(guardian.folder).flatMap(({ pid, own }) => {
        const { parent = 1 } = statOf(pid) ?? {};
        // A guardian without its harness is about to end.
        return own === guardian.folder || parent === 1 ? [] : [parent];
      });
    },
    [Symbol.asyncDispose]: () => guardian[Symbol.asyncDispose](),
  };
}

/** A name that `mkdtemp` gives to the folder of a run. */
const RUN_FOLDER = /^overhead-\w{6}$/;
/** A run's folder exists a moment before its guardian starts, and a guardian may take seconds to end. */
const STARTING_MS = 60_000;

/** Removes the folders of runs beside this one whose guardian was killed too. */
function removeAbandoned(folder: string): void {
  if (process.platform !== 'linux') return;
  const parent = dirname(folder);
  const names = readdirSync(parent).filter((name) => RUN_FOLDER.test(name));
  const old = names.flatMap((name) => {
    const path = join(parent, name);
    const found = unlessGone(() => statSync(path), null);
    const isOwn = found?.uid === process.getuid?.();
    return isOwn && Date.now() - Number(found?.mtimeMs) > STARTING_MS ? path : [];
  });
  if (old.length === 0) return;
  const guarded = new Set(guardians(folder).map(({ own }) => own));
  for (const path of old.filter((each) => !guarded.has(each))) {
    rmSync(path, { recursive: true, force: true });
  }
}

/** The guardians of runs with folders beside this one, and of this one. */
function guardians(folder: string): { pid: number; own: string }[] {
  return allPids().flatMap((pid) => {
    const [, script = '', own = ''] = wordsOf(pid, 'cmdline');
    const isGuardian = /\/launch\/guard\.[jt]s$/.test(script);
    return isGuardian && dirname(own) === dirname(folder) ? [{ pid, own }] : [];
  });
}
