import { minus, plus } from '../math/counters.ts';
import { readMainThread } from '../system/main-thread.ts';
import { readScheduling } from '../system/scheduling.ts';
import { readThrottling } from '../system/throttling.ts';
import {
  type CpuReading,
  cpuInAll,
  readCpu,
  readCpuOfTrees,
  readMemory,
  readPeak,
  readSystem,
} from '../system/usage.ts';
import type { Measurement } from './measurement.ts';
import type { Order } from './protocol.ts';

type ServicePids = Order['pids']['services'];

/** CPU time of services, by their names. */
export type ServiceCpu = Record<string, CpuReading>;

/** What is counted of processes and of the system. */
type Counters = Pick<
  Measurement,
  'cpu' | 'workersCpuNs' | 'mainThread' | 'scheduling' | 'system' | 'throttling'
> & { services: ServiceCpu };

/** What processes and system have used by one edge of the window. */
export interface CounterSnapshot {
  atNs: number;
  counters: Counters;
}

/** What of an order says what is read. */
export type Read = Pick<Order, 'pids' | 'group' | 'firstThreadOf'>;

/**
 * Reads everything, the server first; on Linux before the first await, so what is counted beside the
 * call belongs to the same instant. The generator is this process, and what else sends for it. What the
 * scheduler did takes a read for each thread: it is left out between turns.
 */
export async function takeSnapshot(
  atNs: number,
  { pids, group, firstThreadOf }: Read,
  senders: readonly number[],
  { isTurn = false } = {},
): Promise<CounterSnapshot> {
  const reading = Promise.all([
    readCpuOfTrees(pids.server),
    readCpu(pids.manager),
    readCpu(pids.harness),
    readCpu([process.pid, ...senders]),
    readServices(pids.services),
    mainThreadOf(firstThreadOf),
    isTurn ? null : schedulingOf(pids.server),
  ]);
  const system = readSystem();
  const throttling = group === null ? null : readThrottling(group);
  const [workers, manager, harness, generator, services, mainThread, scheduling] = await reading;
  const cpu = { server: cpuInAll(workers), manager, harness, generator };
  const workersCpuNs = workers.map(({ cpuNs }) => cpuNs);
  const ofServer = { workersCpuNs, mainThread, scheduling, throttling };
  return { atNs, counters: { cpu, ...ofServer, services, system } };
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

/** That, its peak, and the same of the services beside what they used. @throws when a process is gone. */
export async function readMemories(
  pids: Order['pids'],
  used: ServiceCpu,
): Promise<Pick<Measurement, 'memory' | 'peak' | 'services'>> {
  const memory = await readMemoryOf(pids);
  const [server, manager] = [readPeak(pids.server), readPeak(pids.manager)];
  const peak = server === null || manager === null ? null : { server, manager };
  return { memory, peak, services: await withMemory(used, pids.services) };
}

/** What was used inside a window. */
export type Used = Counters & Pick<Measurement, 'openedNs' | 'windowNs'>;

/** What was used from one edge of the window to the other. */
export function usedBetween(opened: CounterSnapshot, closed: CounterSnapshot): Used {
  return {
    openedNs: opened.atNs,
    windowNs: closed.atNs - opened.atNs,
    ...minus(closed.counters, opened.counters),
  };
}

/** What was used in two windows together. */
export function addUsed(a: Used, b: Used): Used {
  return { ...plus(a, b), openedNs: a.openedNs };
}
