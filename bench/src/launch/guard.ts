/**
 * The guardian process. It learns of process groups and control groups by lines of JSON on its stdin; stdin's end tells
 * it that the harness is gone, in whatever way, and that what is left must go too.
 */
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { removeGroup } from '../system/control-groups.ts';
import { allGone, signal, toldOf, writersInto } from '../system/processes.ts';
import { type Guarded, parseLine } from './guard-line.ts';
import { daemonsOf } from './pm2-home.ts';

const KILL_MS = 2000;
/** As long as a process may take from its fork to its log, or a pm2 daemon to its pid file. */
const UNTOLD_MS = 1500;
const UNTOLD_POLL_MS = 50;

const folder = z.string().parse(process.argv[2]);
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => {});

const left = new Map<string, Guarded>();
let orderly = false;
for await (const text of createInterface({ input: process.stdin })) {
  const line = parseLine(text);
  if (line === null) continue;
  if (line.kind === 'done') orderly = true;
  else if (line.kind === 'guard') left.set(JSON.stringify(line.what), line.what);
  else left.delete(JSON.stringify(line.what));
}
const all = [...left.values()];
await kill(all.filter((what) => typeof what === 'number'));
// A harness that was killed may have started what it had no time to tell of.
if (!orderly) await killUntold(folder);
await Promise.all(all.filter((what) => typeof what !== 'number').map(removeGroup));
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

async function kill(groups: number[]): Promise<void> {
  for (const leader of groups) {
    if (!signal(-leader, 'SIGKILL')) signal(leader, 'SIGKILL');
  }
  if (!(await allGone(groups, KILL_MS))) process.exitCode = 1;
}

/** Kills whatever writes into the run's folder, daemons with a home there, and what they started. */
async function killUntold(folder: string): Promise<void> {
  const deadline = performance.now() + UNTOLD_MS;
  while (performance.now() < deadline) {
    await kill([...writersInto(folder), ...daemonsOf(folder), ...toldOf(folder)]);
    await sleep(UNTOLD_POLL_MS);
  }
}
