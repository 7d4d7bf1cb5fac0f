import {
  addMainThreads,
  type MainThread,
  mainThreadBetween,
  readMainThread,
} from '../system/main-thread.ts';
import {
  addThrottling,
  readThrottling,
  type Throttling,
  throttlingBetween,
} from '../system/throttling.ts';
import {
  type CpuReading,
  cpuBetween,
  cpuInAll,
  readCpu,
  readCpuOfTrees,
  readMemory,
  readPeak,
  readSystem,
  type SystemReading,
} from '../system/usage.ts';
import type { Measurement } from './measurement.ts';
import type { Order } from './protocol.ts';
import { addServices, readServices, type ServiceCpu, servicesBetween } from './services.ts';

/** What processes and system have used by one edge of the window. */
export interface CounterSnapshot {
  atNs: number;
  /** Each of the server's processes. */
  workers: CpuReading[];
  /** Null where nobody asked for it. */
  mainThread: MainThread | null;
  cpu: Record<'manager' | 'harness' | 'generator', CpuReading>;
  services: ServiceCpu;
  system: SystemReading | null;
  /** Of the server's control group; null without one. */
  throttling: Throttling | null;
}

/** What of an order says what is read. */
export type Read = Pick<Order, 'pids' | 'group' | 'firstThreadOf'>;

/**
 * Reads everything, the server first; on Linux before the first await, so what is counted beside the
 * call belongs to the same instant. The generator is this process, and what else sends for it.
 */
export async function takeSnapshot(
  atNs: number,
  { pids, group, firstThreadOf }: Read,
  senders: readonly number[],
): Promise<CounterSnapshot> {
  const reading = Promise.all([
    readCpuOfTrees(pids.server),
    readCpu(pids.manager),
    readCpu(pids.harness),
    readCpu([process.pid, ...senders]),
    readServices(pids.services),
    mainThreadOf(firstThreadOf),
  ]);
  const system = readSystem();
  const throttling = group === null ? null : readThrottling(group);
  const [workers, manager, harness, generator, services, mainThread] = await reading;
  const cpu = { manager, harness, generator };
  return { atNs, workers, mainThread, cpu, services, system, throttling };
}

/** Reads at once; a process that is gone is found by the promise, as with all the others. */
async function mainThreadOf(pid: number | null): Promise<MainThread | null> {
  return pid === null ? null : readMainThread(pid);
}

/** CPU time of the server's processes by an edge, ns. */
export function serverCpuNs({ workers }: CounterSnapshot): number {
  return cpuInAll(workers).cpuNs;
}

/** What was used inside a window. */
export interface Used
  extends Pick<
    Measurement,
    'openedNs' | 'windowNs' | 'cpu' | 'workersCpuNs' | 'mainThread' | 'system' | 'throttling'
  > {
  services: ServiceCpu;
}

/** The peak of the server's memory, and of its manager's, bytes. @throws when a process is gone. */
export function readPeakOf(
  pids: Record<'server' | 'manager', readonly number[]>,
): Measurement['peak'] {
  const [server, manager] = [readPeak(pids.server), readPeak(pids.manager)];
  return server === null || manager === null ? null : { server, manager };
}

/** Memory of the server's processes, and of their manager's, bytes. @throws when one is gone. */
export async function readMemoryOf(
  pids: Record<'server' | 'manager', readonly number[]>,
): Promise<Measurement['memory']> {
  return { server: await readMemory(pids.server), manager: await readMemory(pids.manager) };
}

/** What was used from one edge of the window to the other. */
export function usedBetween(opened: CounterSnapshot, closed: CounterSnapshot): Used {
  const used = (who: keyof CounterSnapshot['cpu']) => cpuBetween(opened.cpu[who], closed.cpu[who]);
  return {
    openedNs: opened.atNs,
    windowNs: closed.atNs - opened.atNs,
    cpu: {
      server: cpuBetween(cpuInAll(opened.workers), cpuInAll(closed.workers)),
      manager: used('manager'),
      harness: used('harness'),
      generator: used('generator'),
    },
    services: servicesBetween(opened.services, closed.services),
    workersCpuNs: closed.workers.map(({ cpuNs }, index) => {
      return cpuNs - (opened.workers[index]?.cpuNs ?? 0);
    }),
    mainThread: mainThreadBetween(opened.mainThread, closed.mainThread),
    system:
      opened.system && closed.system
        ? {
            stealNs: closed.system.stealNs - opened.system.stealNs,
            busyNs: closed.system.busyNs - opened.system.busyNs,
            throttledNs: closed.system.throttledNs - opened.system.throttledNs,
          }
        : null,
    throttling:
      opened.throttling && closed.throttling
        ? throttlingBetween(opened.throttling, closed.throttling)
        : null,
  };
}

/** What was used in two windows together. */
export function addUsed(a: Used, b: Used): Used {
  const cpu = (who: keyof Used['cpu']) => ({
    cpuNs: a.cpu[who].cpuNs + b.cpu[who].cpuNs,
    waitNs: a.cpu[who].waitNs + b.cpu[who].waitNs,
  });
  return {
    openedNs: a.openedNs,
    windowNs: a.windowNs + b.windowNs,
    cpu: {
      server: cpu('server'),
      manager: cpu('manager'),
      harness: cpu('harness'),
      generator: cpu('generator'),
    },
    services: addServices(a.services, b.services),
    workersCpuNs: a.workersCpuNs.map((cpuNs, index) => cpuNs + (b.workersCpuNs[index] ?? 0)),
    mainThread: addMainThreads(a.mainThread, b.mainThread),
    system:
      a.system && b.system
        ? {
            stealNs: a.system.stealNs + b.system.stealNs,
            busyNs: a.system.busyNs + b.system.busyNs,
            throttledNs: a.system.throttledNs + b.system.throttledNs,
          }
        : null,
    throttling: a.throttling && b.throttling ? addThrottling(a.throttling, b.throttling) : null,
  };
}
