import { cpuBetween, readCpu } from '../system/usage.ts';
import { now, until } from './clock.ts';
import { readMemoryOf } from './edge.ts';
import type { Sample } from './measurement.ts';

type Pids = Record<keyof Sample['bytes'], readonly number[]>;

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
export function startSeries(pids: Pids): Series {
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

async function follow(pids: Pids, over: AbortSignal): Promise<Sample[]> {
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
    });
    before = after;
  }
  return samples;
}

async function readUse(pids: Pids) {
  const atNs = now();
  const [server, manager] = await Promise.all([readCpu(pids.server), readCpu(pids.manager)]);
  return { atNs, server, manager };
}
