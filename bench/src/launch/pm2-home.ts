import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../system/processes.ts';

const PREFIX = 'pm2-';

/** Makes the private home of a pm2 daemon within the run's folder; short, for its sockets' sake. */
export function makePm2Home(folder: string, topology: string): string {
  const home = join(folder, PREFIX + topology.replace(':', '-'));
  mkdirSync(home, { recursive: true });
  return home;
}

/** The same for a daemon with a single server, of which there may be several of a topology. */
export function makeOwnPm2Home(folder: string): string {
  return mkdtempSync(join(folder, PREFIX));
}

/** The pid of the daemon of this home, or null where none has written it yet. */
export function daemonPid(home: string): number | null {
  const file = join(home, 'pm2.pid');
  return existsSync(file) ? pidIn(readFileSync(file, 'utf8')) : null;
}

/** The number of a process that a file of it holds, which may not be whole yet. */
export function pidIn(text: string): number | null {
  const [, pid] = /^\s*([1-9]\d{0,8})\s*$/.exec(text) ?? [];
  return pid === undefined ? null : Number(pid);
}

/** The daemons that run out of homes in this folder. */
export function daemonsOf(folder: string): number[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => daemonPid(join(folder, name)))
    .filter((pid) => pid !== null)
    .filter(isAlive);
}
