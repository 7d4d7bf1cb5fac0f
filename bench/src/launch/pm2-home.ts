import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../system/proc-files.ts';
import { isAlive } from '../system/processes.ts';

const PREFIX = 'pm2-';

/** Makes the private home of a pm2 daemon. Its sockets need a short path. */
export function makePm2Home(folder: string): string {
  return mkdtempSync(join(folder, PREFIX));
}

/** The pid of the daemon of this home; null if none has written it yet. */
export function daemonPid(home: string): number | null {
  return parsePid(textOf(join(home, 'pm2.pid')) ?? '');
}

/** The pid in a pid file; null if that is not complete yet. */
export function parsePid(text: string): number | null {
  const [, pid] = /^\s*([1-9]\d{0,8})\s*$/.exec(text) ?? [];
  return pid === undefined ? null : Number(pid);
}

/** The running daemons with homes in this folder. */
export function daemonsOf(folder: string): number[] {
  if (!existsSync(folder)) return [];
  const homes = readdirSync(folder).filter((name) => name.startsWith(PREFIX));
  return homes.flatMap((name) => daemonPid(join(folder, name)) ?? []).filter(isAlive);
}
