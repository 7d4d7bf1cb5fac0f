import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './processes.ts';

const PREFIX = 'pm2-';
const PID_FILE_MS = 1500;
const POLL_MS = 50;

/** Makes the private home of a pm2 daemon within the run's folder; short, for its sockets' sake. */
export function makePm2Home(folder: string, workers: number): string {
  const home = join(folder, `${PREFIX}${workers}`);
  mkdirSync(home, { recursive: true });
  return home;
}

/** The pid of the daemon of this home, or null where none has written it yet. */
export function daemonPid(home: string): number | null {
  const file = join(home, 'pm2.pid');
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  return pid > 0 ? pid : null;
}

/** The daemons still running out of homes in this folder, also one that is just starting. */
export async function leftDaemons(folder: string): Promise<number[]> {
  if (!existsSync(folder)) return [];
  const homes = readdirSync(folder).filter((name) => name.startsWith(PREFIX));
  const deadline = performance.now() + PID_FILE_MS;
  const pids = () => homes.map((name) => daemonPid(join(folder, name)));
  while (pids().includes(null) && performance.now() < deadline) await sleep(POLL_MS);
  return pids()
    .filter((pid) => pid !== null)
    .filter(isAlive);
}
