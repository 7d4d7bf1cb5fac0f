import { setTimeout as sleep } from 'node:timers/promises';
import { PERIOD_NS } from '../system/control-groups.ts';
import { now } from './clock.ts';
import type { Measurement } from './measurement.ts';
import type { Order } from './protocol.ts';
import { READ_HERE, type Readings } from './readings.ts';

/** While draining, a server that uses less than this share of a core is idle. */
const IDLE_SHARE = 0.2;
const DRAIN_CHECK_MS = 5;
/** One that is held back by a CPU limit looks idle for as long as a period of its quota. */
const LIMITED_CHECK_MS = PERIOD_NS / 1e6;

/** Waits until the server and its services have finished what its clients left behind, so that no work leaks on. */
export async function drain(
  { pids, group, drainCapNs }: Pick<Order, 'pids' | 'group' | 'drainCapNs'>,
  readings: Readings = READ_HERE,
): Promise<Pick<Measurement, 'drainNs' | 'drainCapped'>> {
  const startNs = now();
  const working = [...pids.server, ...Object.values(pids.services).flat()];
  const read = async () => {
    const throttled = group === null ? 0 : await readings.throttledPeriods(group);
    return { atNs: now(), throttled, cpuNs: await readings.cpuNs(working) };
  };
  let before = await read();
  while (now() - startNs < drainCapNs) {
    await sleep(group === null ? DRAIN_CHECK_MS : LIMITED_CHECK_MS);
    const after = await read();
    const isFree = after.throttled === before.throttled;
    if (isFree && after.cpuNs - before.cpuNs < IDLE_SHARE * (after.atNs - before.atNs)) {
      return { drainNs: after.atNs - startNs, drainCapped: false };
    }
    before = after;
  }
  return { drainNs: now() - startNs, drainCapped: drainCapNs > 0 };
}
