import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../base/errors.ts';
import { ifReadable, ifThere } from './gone.ts';
import { STAT_FIELD, statFields } from './stat-fields.ts';

const POLL_MS = 10;

/** Whether this process still runs; a zombie does not. */
export function isAlive(pid: number): boolean {
  if (!signal(pid, 0)) return false;
  if (process.platform !== 'linux') return true;
  return statOf(pid)?.state !== 'Z';
}

/** Whether somebody has stopped this process, as by SIGSTOP; no where the system does not tell. */
export function isStopped(pid: number): boolean {
  return process.platform === 'linux' && statOf(pid)?.state === 'T';
}

/** Sends a signal to a process, or with a negative pid to its group; false when it is gone. */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false;
    throw error;
  }
}

/** Waits until none of these processes runs any more; false when the time is over first. */
export async function allGone(pids: readonly number[], timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (pids.some(isAlive)) {
    if (performance.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}

/** The processes of a group, its leader included, on Linux; elsewhere the leader alone. */
export function groupMembers(leader: number): number[] {
  if (process.platform !== 'linux') return [leader];
  return allPids().filter((pid) => pid === leader || statOf(pid)?.group === leader);
}

/** The processes, on Linux, whose standard output is a file in this folder. */
export function writersInto(folder: string): number[] {
  return pidsWhere((pid) => outputOf(pid).startsWith(`${folder}/`));
}

/** The processes, on Linux, that were started with a path in this folder in their environment. */
export function toldOf(folder: string): number[] {
  return pidsWhere((pid) => environmentOf(pid).includes(`=${folder}/`));
}

/** The processes, on Linux, that have this variable in their environment, with this value. */
export function markedBy(name: string, value: string): number[] {
  return pidsWhere((pid) => environmentOf(pid).split('\0').includes(`${name}=${value}`));
}

/** The words of the command line of a process, on Linux; none once it is gone. */
export function commandOf(pid: number): string[] {
  return ifReadable(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'), '').split('\0');
}

/** Who has started a process, or took it over, on Linux; null once it is gone. */
export function parentOf(pid: number): number | null {
  return statOf(pid)?.parent ?? null;
}

function pidsWhere(holds: (pid: number) => boolean): number[] {
  return process.platform === 'linux' ? allPids().filter(holds) : [];
}

/** All that this system has, on Linux. */
export function allPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function outputOf(pid: number): string {
  return ifReadable(() => readlinkSync(`/proc/${pid}/fd/1`), '');
}

function environmentOf(pid: number): string {
  return ifReadable(() => readFileSync(`/proc/${pid}/environ`, 'utf8'), '');
}

function statOf(pid: number): { state: string; parent: number; group: number } | null {
  const stat = ifThere(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), null);
  if (stat === null) return null;
  const fields = statFields(stat);
  const [parent, group] = [fields[STAT_FIELD.parent], fields[STAT_FIELD.group]].map(Number);
  return { state: fields[STAT_FIELD.state] ?? '', parent: parent ?? 0, group: group ?? 0 };
}
