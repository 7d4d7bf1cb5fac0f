import { setTimeout as sleep } from 'node:timers/promises';
import { PERIOD_NS } from '../system/control-groups.ts';
import { cpuInAll } from '../system/usage.ts';
import { now, until } from './clock.ts';
import type { ClosedOrder, CounterSources, Order } from './protocol.ts';
import type { Readings } from './readings.ts';

/** A server that uses less than this share of a core has drained. */
const IDLE_SHARE = 0.2;
const DRAIN_CHECK_MS = 5;
/** A server throttled by a CPU limit looks idle for up to a period of its quota. */
const LIMITED_CHECK_MS = PERIOD_NS / 1e6;

/** Waits until the server and its services have finished what is left of a load, up to the cap. Returns whether they have. */
export async function drain(order: CounterSources & Pick<Order, 'drainCapNs'>, readings: Readings) {
  const deadlineNs = now() + order.drainCapNs;
  const read = async () => {
    const { cpu, services, throttling } = await readings.turnCounters(order);
    const { cpuNs } = cpuInAll([cpu.server, ...Object.values(services)]);
    return { atNs: now(), cpuNs, throttled: throttling?.throttledPeriods };
  };
  let before = await read();
  while (now() < deadlineNs) {
    await sleep(order.group === null ? DRAIN_CHECK_MS : LIMITED_CHECK_MS);
    const after = await read();
    const isFree = after.throttled === before.throttled;
    if (isFree && after.cpuNs - before.cpuNs < IDLE_SHARE * (after.atNs - before.atNs)) return true;
    before = after;
  }
  return false;
}

/** How long a server has to be quiet. */
const QUIET_NS = 1e9;
/** A quiet server may use this much more than an idle one. */
const SLACK_NS_PER_S = 2e6;

/**
 * Waits until a server is quiet for a second, up to the cap or `over`. Returns whether it was (null if the cap is 0)
 * and what it uses idle, ns/s: as given, or less if that second shows so, since a new server may still be at work.
 */
export async function untilQuiet(
  order: CounterSources & Pick<ClosedOrder, 'quietCapNs' | 'idleNsPerS'>,
  over: AbortSignal,
  { turnCounters }: Readings,
) {
  const { quietCapNs, idleNsPerS } = order;
  if (quietCapNs === 0) return { isQuiet: null, idleNsPerS };
  const deadlineNs = now() + quietCapNs;
  const read = async () => (await turnCounters(order)).cpu.server.cpuNs;
  while (now() < deadlineNs && !over.aborted) {
    const [fromNs, fromCpuNs] = [now(), await read()];
    await until(fromNs + QUIET_NS, over);
    const nsPerS = (((await read()) - fromCpuNs) / (now() - fromNs)) * 1e9;
    if (nsPerS <= idleNsPerS + SLACK_NS_PER_S) {
      return { isQuiet: true, idleNsPerS: Math.min(idleNsPerS, nsPerS) };
    }
  }
  return { isQuiet: false, idleNsPerS };
}
