/**
 * The guardian process. It learns of process groups by lines of JSON on its stdin; stdin's end tells
 * it that the harness is gone, in whatever way, and that what is left must go too.
 */
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { leftDaemons } from './pm2-home.ts';
import { allGone, isAlive, signal } from './processes.ts';

const lineSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('guard'), leader: z.int() }),
  z.object({ kind: z.literal('release'), leader: z.int() }),
]);
export type Line = z.infer<typeof lineSchema>;

const KILL_MS = 2000;

const folder = z.string().parse(process.argv[2]);
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => {});

const leaders = new Set<number>();
for await (const text of createInterface({ input: process.stdin })) {
  const line = lineSchema.parse(JSON.parse(text));
  if (line.kind === 'guard') leaders.add(line.leader);
  else leaders.delete(line.leader);
}

const harnessWasKilled = leaders.size > 0;
for (const leader of leaders) signal(-leader, 'SIGKILL');
await allGone([...leaders], KILL_MS);
if (harnessWasKilled) {
  // A `pm2 start` that was just killed may have left a daemon that nobody has heard of yet.
  for (const daemon of await leftDaemons(folder)) {
    signal(-daemon, 'SIGKILL');
    await allGone([daemon], KILL_MS);
    leaders.add(daemon);
  }
}
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
process.exitCode = [...leaders].some(isAlive) ? 1 : 0;
