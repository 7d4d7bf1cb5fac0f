import { minus } from '../math/counters.ts';
import { readCpu } from '../system/usage.ts';
import { now, until } from './clock.ts';
import type { Sample } from './measurement.ts';
import type { CounterSources } from './protocol.ts';
import { readMemories, readServices } from './readings.ts';

export type FollowedPids = Omit<CounterSources['pids'], 'harness'>;

const SECOND_NS = 1e9;

/** Samples what these processes use once a second until it is stopped. Not for a generator, which would be late. */
export function startSeries(pids: FollowedPids) {
  const over = new AbortController();
  const reading = follow(pids, over.signal);
  // Whoever stops it learns of the error.
  reading.catch(() => {});
  return {
    /** Ends it. @throws when one of the processes went away meanwhile. */
    stop: (): Promise<Sample[]> => {
      over.abort();
      return reading;
    },
  };
}

async function follow(pids: FollowedPids, over: AbortSignal): Promise<Sample[]> {
  const samples: Sample[] = [];
  const read = async () => {
    const ns = now();
    const used = [readCpu(pids.server), readCpu(pids.manager)];
    const [services, ...cpu] = await Promise.all([readServices(pids.services), ...used]);
    return { ns, services, cpu };
  };
  let before = await read();
  while (!over.aborted) {
    await until(before.ns + SECOND_NS, over);
    if (over.aborted) break;
    const after = await read();
    const used = minus(after, before);
    const [server = 0, manager = 0] = used.cpu.map(({ cpuNs }) => cpuNs);
    const { memory, services } = await readMemories(pids);
    const own = { ns: used.ns, cpuNs: { server, manager }, bytes: memory };
    const ofServices = Object.entries(services).map(([name, bytes]) => {
      return [name, { cpuNs: used.services[name]?.cpuNs ?? 0, bytes }] as const;
    });
    samples.push({ ...own, services: Object.fromEntries(ofServices) });
    before = after;
  }
  return samples;
}
