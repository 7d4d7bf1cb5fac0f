import { minus } from '../math/counters.ts';
import { readCpu } from '../system/usage.ts';
import { now, until } from './clock.ts';
import type { Sample } from './measurement.ts';
import type { Order } from './protocol.ts';
import { readMemoryOf, readServices, type ServiceCpu, withMemory } from './readings.ts';

/** The processes that are followed. */
export type FollowedPids = Pick<Order['pids'], keyof Sample['bytes'] | 'services'>;

const SECOND_NS = 1e9;

/** A series under way. */
export interface Series {
  /** Ends it. @throws when one of the processes went away meanwhile. */
  stop(): Promise<Sample[]>;
}

/**
 * Reads what these processes use, once a second until it is stopped. To be called outside the
 * generator, which would be late for it.
 */
export function startSeries(pids: FollowedPids): Series {
  const over = new AbortController();
  const reading = follow(pids, over.signal);
  // Whoever stops it learns of the error; until then nobody listens.
  reading.catch(() => {});
  return {
    stop: () => {
      over.abort();
      return reading;
    },
  };
}

async function follow(pids: FollowedPids, over: AbortSignal): Promise<Sample[]> {
  const samples: Sample[] = [];
  let before = await readUse(pids);
  while (!over.aborted) {
    await until(before.ns + SECOND_NS, over);
    if (over.aborted) break;
    const after = await readUse(pids);
    const { ns, server, manager, services } = minus(after, before);
    samples.push({
      ns,
      cpuNs: { server: server.cpuNs, manager: manager.cpuNs },
      bytes: await readMemoryOf(pids),
      services: await servicesOf(services, pids),
    });
    before = after;
  }
  return samples;
}

/** What each has used by now, and when that is. */
async function readUse(pids: FollowedPids) {
  const ns = now();
  const [server, manager, services] = await Promise.all([
    readCpu(pids.server),
    readCpu(pids.manager),
    readServices(pids.services),
  ]);
  return { ns, server, manager, services };
}

async function servicesOf(
  used: ServiceCpu,
  { services }: FollowedPids,
): Promise<Sample['services']> {
  const read = Object.entries(await withMemory(used, services));
  return Object.fromEntries(read.map(([name, { cpuNs, bytes }]) => [name, { cpuNs, bytes }]));
}
