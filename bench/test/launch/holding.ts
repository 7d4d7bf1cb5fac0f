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

/** A process that starts these fixtures in these topologies, until it is killed. */
export function hold(place: OwnPlace, names: string[], topologies: Topology[]) {
  const ids = topologies.map(({ id }) => id);
  return holdBy(
    place,
    'hold.ts',
    [names, ids].map((list) => JSON.stringify(list)),
  );
}

/** A process that starts servers with a CPU limit, until it is killed. */
export function holdLimited(place: OwnPlace) {
  return holdBy(place, 'hold-limited.ts', []);
}

function holdBy(place: OwnPlace, script: string, args: string[]) {
  const child = execa(process.execPath, [join(import.meta.dirname, script), ...args], {
    extendEnv: false,
    env: place.environment,
    stderr: 'inherit',
    reject: false,
  });
  return { child, lines: child.iterable()[Symbol.asyncIterator]() };
}

export type HeldLauncher = ReturnType<typeof holdBy>;

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
