/** Processes that start servers and hold them until they are killed. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { expect } from 'vitest';
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
  const asked = [names, topologies.map(({ id }) => id), cpuLimit].map((each) => {
    return JSON.stringify(each);
  });
  const script = join(import.meta.dirname, 'hold.ts');
  const child = execa(process.execPath, [script, ...asked], {
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
export async function held(launcher: HeldLauncher) {
  await untilStarting(launcher);
  return heldSchema.parse(JSON.parse(z.string().parse((await launcher.lines.next()).value)));
}

/** Kills it so long after it has begun to start servers, and waits until it is gone. */
export async function killAfter(launcher: HeldLauncher, delayMs: number): Promise<void> {
  await untilStarting(launcher);
  await sleep(delayMs);
  launcher.child.kill('SIGKILL');
  await launcher.child;
}

async function untilStarting({ lines }: HeldLauncher): Promise<void> {
  expect((await lines.next()).value).toBe('starting');
}
