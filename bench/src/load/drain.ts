import { setTimeout as sleep } from 'node:timers/promises';
import { readCpu } from '../system/usage.ts';
import { now } from './clock.ts';
import type { Measurement } from './measurement.ts';
import type { Order } from './protocol.ts';

/** While draining, a server that uses less than this share of a core is idle. */
const IDLE_SHARE = 0.2;
const DRAIN_CHECK_MS = 5;

/** Waits until the server and its services have finished what its clients left behind, so that no work leaks on. */
export async function drain({
  pids,
  drainCapNs,
}: Pick<Order, 'pids' | 'drainCapNs'>): Promise<Pick<Measurement, 'drainNs' | 'drainCapped'>> {
  const startNs = now();
  const working = [...pids.server, ...Object.values(pids.services).flat()];
  let before = { atNs: startNs, ...(await readCpu(working)) };
  while (now() - startNs < drainCapNs) {
    await sleep(DRAIN_CHECK_MS);
    const after = { atNs: now(), ...(await readCpu(working)) };
    if (after.cpuNs - before.cpuNs < IDLE_SHARE * (after.atNs - before.atNs)) {
      return { drainNs: after.atNs - startNs, drainCapped: false };
    }
    before = after;
  }
  return { drainNs: now() - startNs, drainCapped: drainCapNs > 0 };
}
