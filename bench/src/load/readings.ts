/** What the machine that servers run on tells of them: read here, or by the harness that is there. */
import { z } from 'zod';
import { readMainThread } from '../system/main-thread.ts';
import { readScheduling } from '../system/scheduling.ts';
import { readThrottling } from '../system/throttling.ts';
import {
  cpuInAll,
  cpuReadingSchema,
  readCpu,
  readCpuOfTrees,
  readMemory,
  readPeak,
  readSystem,
} from '../system/usage.ts';
import { type Measurement, measurementSchema } from './measurement.ts';
import { pidsSchema, type Read, readSchema } from './protocol.ts';

type Pids = Read['pids'];
type ServicePids = Pids['services'];

const servicesSchema = z.record(z.string(), cpuReadingSchema);
/** CPU time of services, by their names. */
export type ServiceCpu = z.infer<typeof servicesSchema>;

const { server, manager, harness } = measurementSchema.shape.cpu.shape;
const countersSchema = measurementSchema
  .pick({ workersCpuNs: true, mainThread: true, scheduling: true, system: true, throttling: true })
  .extend({ cpu: z.object({ server, manager, harness }), services: servicesSchema });
/** What is counted of processes and of the system, but for the generator's own. */
export type ServerCounters = z.infer<typeof countersSchema>;

const memoriesSchema = measurementSchema.pick({ memory: true, peak: true, services: true });
export type Memories = Pick<Measurement, 'memory' | 'peak' | 'services'>;

/** Reads what is so by now. @throws when a process is gone. */
export interface Readings {
  /** Without what the scheduler did between turns, which takes a read for each thread. */
  counters(read: Read, isTurn: boolean): Promise<ServerCounters>;
  /** Memory and its peak, and those of the services beside what they used, bytes. */
  memories(pids: Pids, used: ServiceCpu): Promise<Memories>;
  /** CPU time of processes with all that they have started, ns. */
  cpuNs(pids: readonly number[]): Promise<number>;
  /** Periods of its quota in which a control group was held back. */
  throttledPeriods(group: string): Promise<number>;
}

/** This machine's. On Linux counters are read before the first await, so they belong to the same instant. */
export const READ_HERE: Readings = {
  async counters({ pids, group, firstThreadOf }, isTurn) {
    const reading = Promise.all([
      readCpuOfTrees(pids.server),
      readCpu(pids.manager),
      readCpu(pids.harness),
      readServices(pids.services),
      mainThreadOf(firstThreadOf),
      isTurn ? null : schedulingOf(pids.server),
    ]);
    const system = readSystem();
    const throttling = group === null ? null : readThrottling(group);
    const [workers, ofManager, ofHarness, services, mainThread, scheduling] = await reading;
    const cpu = { server: cpuInAll(workers), manager: ofManager, harness: ofHarness };
    const workersCpuNs = workers.map(({ cpuNs }) => cpuNs);
    return { cpu, workersCpuNs, mainThread, scheduling, system, throttling, services };
  },
  async memories(pids, used) {
    const memory = await readMemoryOf(pids);
    const [ofServer, ofManager] = [readPeak(pids.server), readPeak(pids.manager)];
    const isKnown = ofServer !== null && ofManager !== null;
    const peak = isKnown ? { server: ofServer, manager: ofManager } : null;
    return { memory, peak, services: await withMemory(used, pids.services) };
  },
  cpuNs: async (pids) => cpuInAll(await readCpuOfTrees(pids)).cpuNs,
  throttledPeriods: async (group) => readThrottling(group).throttledPeriods,
};

const numbers = z.array(z.int());
const requestSchema = z.discriminatedUnion('what', [
  z.object({ what: z.literal('counters'), read: readSchema, isTurn: z.boolean() }),
  z.object({ what: z.literal('memories'), pids: pidsSchema, used: servicesSchema }),
  z.object({ what: z.literal('cpuNs'), pids: numbers }),
  z.object({ what: z.literal('throttledPeriods'), group: z.string() }),
]);
type ReadingRequest = z.infer<typeof requestSchema>;

/** Does a reading that somebody elsewhere asks for. @throws as it, and for what is no request. */
export async function readAsAsked(request: unknown): Promise<unknown> {
  const asked = requestSchema.parse(request);
  switch (asked.what) {
    case 'counters':
      return await READ_HERE.counters(asked.read, asked.isTurn);
    case 'memories':
      return await READ_HERE.memories(asked.pids, asked.used);
    case 'cpuNs':
      return await READ_HERE.cpuNs(asked.pids);
    case 'throttledPeriods':
      return await READ_HERE.throttledPeriods(asked.group);
  }
}

/** Readings that are asked of somebody else, who does them with `readAsAsked`. */
export function readingsBy(ask: (request: ReadingRequest) => Promise<unknown>): Readings {
  return {
    counters: async (read, isTurn) => {
      const { pids, group, firstThreadOf } = read;
      const own = { pids, group, firstThreadOf };
      return countersSchema.parse(await ask({ what: 'counters', read: own, isTurn }));
    },
    memories: async (pids, used) => {
      return memoriesSchema.parse(await ask({ what: 'memories', pids, used }));
    },
    cpuNs: async (pids) => z.number().parse(await ask({ what: 'cpuNs', pids: [...pids] })),
    throttledPeriods: async (group) => {
      return z.int().parse(await ask({ what: 'throttledPeriods', group }));
    },
  };
}

/** Reads at once; a process that is gone is found by the promise, as with all the others. */
async function mainThreadOf(pid: number | null): Promise<Measurement['mainThread']> {
  return pid === null ? null : readMainThread(pid);
}

async function schedulingOf(pids: readonly number[]): Promise<Measurement['scheduling']> {
  return readScheduling(pids);
}

/** What each has used so far; on Linux read before the first await. @throws when one is gone. */
export async function readServices(pids: ServicePids): Promise<ServiceCpu> {
  const reading = Object.entries(pids).map(async ([name, own]) => {
    return [name, await readCpu(own)] as const;
  });
  return Object.fromEntries(await Promise.all(reading));
}

/** What each used, with its memory now and at its peak, bytes. @throws when one is gone. */
export async function withMemory(
  used: ServiceCpu,
  pids: ServicePids,
): Promise<Measurement['services']> {
  const reading = Object.entries(used).map(async ([name, cpu]) => {
    const own = pids[name] ?? [];
    return [name, { ...cpu, bytes: await readMemory(own), peakBytes: readPeak(own) }] as const;
  });
  return Object.fromEntries(await Promise.all(reading));
}

/** Memory of the server's processes, and of their manager's, bytes. @throws when one is gone. */
export async function readMemoryOf(
  pids: Record<'server' | 'manager', readonly number[]>,
): Promise<Measurement['memory']> {
  return { server: await readMemory(pids.server), manager: await readMemory(pids.manager) };
}
