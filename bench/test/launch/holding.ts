/** Processes that start servers and hold them until they are killed. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { z } from 'zod';
import type { Topology } from '../../src/plan/topology.ts';
import type { OwnPlace } from '../support/leftovers.ts';

/** How long the guardian may take to clear up behind a harness that was killed. */
export const CLEARED_MS = 10_000;

/** A process that starts these fixtures in these topologies, under this CPU limit, until it is killed. */
export function hold(
  place: OwnPlace,
  names: string[],
  topologies: Topology[],
  cpuLimit: number | null = null,
) {
  const asked = JSON.stringify([names, topologies.map(({ id }) => id), cpuLimit]);
  const child = execa(process.execPath, [join(import.meta.dirname, 'hold.ts'), asked], {
    extendEnv: false,
    env: place.environment,
    stderr: 'inherit',
    reject: false,
  });
  return { child, lines: child.iterable()[Symbol.asyncIterator]() };
}

type HeldLauncher = ReturnType<typeof hold>;

const heldSchema = z.object({ guardian: z.int(), pids: z.array(z.int()) });

/** What runs once all have started. */
export async function held({ lines }: HeldLauncher) {
  await lines.next();
  return heldSchema.parse(JSON.parse(z.string().parse((await lines.next()).value)));
}

/** Kills it so long after it has begun to start servers; returns the name of its run's folder once it is gone. */
export async function killAfter({ child, lines }: HeldLauncher, delayMs: number): Promise<string> {
  const run = z
    .string()
    .startsWith('overhead-')
    .parse((await lines.next()).value);
  await sleep(delayMs);
  child.kill('SIGKILL');
  await child;
  return run;
}
