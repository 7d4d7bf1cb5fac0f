/** The guardian. The harness reports groups to it on stdin. When that ends, it kills and removes what is left. */
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { parseJson } from '../base/json.ts';
import { removeGroup } from '../system/control-groups.ts';
import { allGone, pidsWithPathsIn, pidsWritingInto, signal } from '../system/processes.ts';
import { type GuardedGroup, messageSchema } from './guardian-messages.ts';
import { daemonsOf } from './pm2-home.ts';

const KILL_MS = 2000;
/** A process opens its log, and a pm2 daemon writes its pid file, within this time after the fork. */
const UNREPORTED_MS = 1500;
const UNREPORTED_POLL_MS = 50;

const folder = z.string().parse(process.argv[2]);
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => {});

const left = new Set<GuardedGroup>();
let isOrderly = false;
for await (const line of createInterface({ input: process.stdin })) {
  // The last line may be cut off.
  const message = parseJson(line, messageSchema);
  if (message?.kind === 'done') isOrderly = true;
  else if (message?.kind === 'guard') left.add(message.what);
  else if (message?.kind === 'release') left.delete(message.what);
}
await kill([...left].filter((what) => typeof what === 'number'));
// A killed harness may have started processes that it had no time to report.
if (!isOrderly) await killUnreported();
await Promise.all([...left].filter((what) => typeof what === 'string').map(removeGroup));
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

async function kill(groups: number[]): Promise<void> {
  for (const leader of groups) {
    if (!signal(-leader, 'SIGKILL')) signal(leader, 'SIGKILL');
  }
  if (!(await allGone(groups, KILL_MS))) process.exitCode = 1;
}

/** Kills processes that write into the run's folder, pm2 daemons with a home there, and their children. */
async function killUnreported(): Promise<void> {
  const deadline = performance.now() + UNREPORTED_MS;
  while (performance.now() < deadline) {
    await kill([...pidsWritingInto(folder), ...daemonsOf(folder), ...pidsWithPathsIn(folder)]);
    await sleep(UNREPORTED_POLL_MS);
  }
}
