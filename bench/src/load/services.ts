import type { RunningServer } from '../launch/server.ts';
import type { RunningService } from '../services/running.ts';
import { type CpuReading, cpuBetween, readCpu, readMemory, readPeak } from '../system/usage.ts';
import type { Measurement } from './measurement.ts';
import type { Order } from './protocol.ts';

type Pids = Order['pids']['services'];

/** CPU time of services, by their names. */
export type ServiceCpu = Record<string, CpuReading>;

const NONE: CpuReading = { cpuNs: 0, waitNs: 0 };

/** What each has used so far; on Linux read before the first await. @throws when one is gone. */
export async function readServices(pids: Pids): Promise<ServiceCpu> {
  const reading = Object.entries(pids).map(async ([name, own]) => {
    return [name, await readCpu(own)] as const;
  });
  return Object.fromEntries(await Promise.all(reading));
}

/** What each used from the one reading to the other. */
export function servicesBetween(from: ServiceCpu, to: ServiceCpu): ServiceCpu {
  return mapEach(to, (reading, name) => cpuBetween(from[name] ?? NONE, reading));
}

/** What each used in two windows together. */
export function addServices(a: ServiceCpu, b: ServiceCpu): ServiceCpu {
  return mapEach(a, ({ cpuNs, waitNs }, name) => {
    const other = b[name] ?? NONE;
    return { cpuNs: cpuNs + other.cpuNs, waitNs: waitNs + other.waitNs };
  });
}

/** What each used, with its memory now and at its peak, bytes. @throws when one is gone. */
export async function withMemory(used: ServiceCpu, pids: Pids): Promise<Measurement['services']> {
  const reading = Object.entries(used).map(async ([name, cpu]) => {
    const own = pids[name] ?? [];
    return [name, { ...cpu, bytes: await readMemory(own), peakBytes: readPeak(own) }] as const;
  });
  return Object.fromEntries(await Promise.all(reading));
}

/** A service that a server needs and that is gone, if there is one. */
export function goneOf({ spec }: RunningServer): RunningService | undefined {
  return spec.services.find((service) => !service.isAlive());
}

function mapEach(
  all: ServiceCpu,
  change: (reading: CpuReading, name: string) => CpuReading,
): ServiceCpu {
  return Object.fromEntries(
    Object.entries(all).map(([name, reading]) => [name, change(reading, name)]),
  );
}
