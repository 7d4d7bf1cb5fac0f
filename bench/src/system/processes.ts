/** Finds processes of this machine, and sends them signals. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../base/errors.ts';
import { parseStat, textOf, unlessUnreadable } from './proc-files.ts';

const POLL_MS = 10;

/** Whether a process still runs; a zombie does not. */
export function isAlive(pid: number): boolean {
  return signal(pid, 0) && statOf(pid)?.state !== 'Z';
}

/** Whether a process is stopped, as by SIGSTOP; false if the system does not tell. */
export function isStopped(pid: number): boolean {
  return statOf(pid)?.state === 'T';
}

/** Sends a signal to a process, or to a group for a negative pid; false if it is gone. */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false;
    throw error;
  }
}

/** How a process ended: `SIGKILL`, or `code 1`. */
export function howEnded({ signal, exitCode }: { signal?: string; exitCode?: number }): string {
  return signal ?? `code ${exitCode}`;
}

/** Waits until none of these processes runs any more; false if that takes longer than the timeout. */
export async function allGone(pids: readonly number[], timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (pids.some(isAlive)) {
    if (performance.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}

/** The processes of a group, including its leader, on Linux; only the leader elsewhere. */
export function groupMembers(leader: number): number[] {
  if (process.platform !== 'linux') return [leader];
  return allPids().filter((pid) => pid === leader || statOf(pid)?.group === leader);
}

/** The processes whose standard output is a file in this folder, on Linux. */
export function pidsWritingInto(folder: string): number[] {
  return allPids().filter((pid) => {
    return unlessUnreadable(() => readlinkSync(`/proc/${pid}/fd/1`), '').startsWith(`${folder}/`);
  });
}

/** The processes with a path in this folder in their environment, on Linux. */
export function pidsWithPathsIn(folder: string): number[] {
  const isPath = (variable: string) => variable.includes(`=${folder}/`);
  return allPids().filter((pid) => wordsOf(pid, 'environ').some(isPath));
}

/** The processes with this variable in their environment, on Linux. */
export function pidsWith(name: string, value: string): number[] {
  return allPids().filter((pid) => wordsOf(pid, 'environ').includes(`${name}=${value}`));
}

/** The arguments or environment variables of a process, on Linux; a single empty one if it is gone. */
export function wordsOf(pid: number, file: 'cmdline' | 'environ'): string[] {
  return unlessUnreadable(() => readFileSync(`/proc/${pid}/${file}`, 'utf8'), '').split('\0');
}

/** All processes, on Linux; none elsewhere. */
export function allPids(): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** The `stat` of a process, on Linux; null if the process is gone. */
export function statOf(pid: number): ReturnType<typeof parseStat> | null {
  const stat = process.platform === 'linux' ? textOf(`/proc/${pid}/stat`) : null;
  return stat === null ? null : parseStat(stat);
}
