import { cpuBetween, readCpu } from '../system/usage.ts';
import { now, until } from './clock.ts';
import type { Sample } from './measurement.ts';
import type { Order } from './protocol.ts';
import { readServices, type ServiceCpu, servicesBetween, withMemory } from './services.ts';
import { readMemoryOf } from './snapshot.ts';

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
    await until(before.atNs + SECOND_NS, over);
    if (over.aborted) break;
    const after = await readUse(pids);
    samples.push({
      ns: after.atNs - before.atNs,
      cpuNs: {
        server: cpuBetween(before.server, after.server).cpuNs,
        manager: cpuBetween(before.manager, after.manager).cpuNs,
      },
      bytes: await readMemoryOf(pids),
      services: await servicesOf(servicesBetween(before.services, after.services), pids),
    });
    before = after;
  }
  return samples;
}

async function readUse(pids: FollowedPids) {
  const atNs = now();
  const [server, manager, services] = await Promise.all([
    readCpu(pids.server),
    readCpu(pids.manager),
    readServices(pids.services),
  ]);
  return { atNs, server, manager, services };
}

async function servicesOf(
  used: ServiceCpu,
  { services }: FollowedPids,
): Promise<Sample['services']> {
  const read = Object.entries(await withMemory(used, services));
  return Object.fromEntries(read.map(([name, { cpuNs, bytes }]) => [name, { cpuNs, bytes }]));
}
