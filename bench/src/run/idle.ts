import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningServer } from '../launch/server.ts';
import { now } from '../load/clock.ts';
import type { IdleUse } from '../record/record.ts';
import type { ServiceRun } from '../record/services.ts';
import type { RunningService } from '../services/running.ts';
import { cpuInAll, readCpuOfTrees } from '../system/usage.ts';

const SECOND_MS = 1000;
/** One that uses less than this share of a core has nothing left to do. */
const AT_REST = 0.01;
/** One that uses more than this of a core still works off what it was asked, however evenly. */
const BUSY = 0.5;
/** Whatever is left of earlier work is less after each second; what is left after so many is idle use. */
const MOST_SECONDS = 5;
/** By how much a second has to be less than the one before it. */
const LESS = 0.9;

/** What is there and idle. */
export interface Idlers {
  servers: readonly RunningServer[];
  services: readonly RunningService[];
}

/** What servers and services use while nobody asks for anything. */
export interface IdleUses {
  servers: IdleUse[];
  services: ServiceRun[];
}

/**
 * What these servers and services use in a second in which nobody asks for anything, once they have done what is
 * left of what they were asked before; nothing of one that dies meanwhile, which will be found out.
 * @throws the signal's reason when it is aborted.
 */
export async function measureIdle(
  { servers, services }: Idlers,
  launch: number,
  signal: AbortSignal,
): Promise<IdleUses> {
  const watched = [...servers, ...services].filter(({ pids }) => pids.length > 0);
  let uses = new Map<object, number>();
  for (let second = 0; second < MOST_SECONDS && watched.length > 0; second++) {
    const before = uses;
    uses = await useInSecond(watched, signal);
    const isStillAtWork = ([each, nsPerS]: [object, number]) => {
      const isBusy = nsPerS > BUSY * 1e9;
      return nsPerS > AT_REST * 1e9 && (isBusy || nsPerS < LESS * (before.get(each) ?? Infinity));
    };
    if (![...uses].some(isStillAtWork)) break;
  }
  return {
    servers: servers.flatMap((server): IdleUse[] => {
      const nsPerS = uses.get(server);
      return nsPerS === undefined ? [] : [{ server: server.spec.key, launch, nsPerS }];
    }),
    services: services.flatMap((service): ServiceRun[] => {
      const idleNsPerS = uses.get(service);
      const { name, version } = service;
      return idleNsPerS === undefined ? [] : [{ name, launch, version, idleNsPerS }];
    }),
  };
}

/** CPU time of each in a second, ns; without those that are gone. */
async function useInSecond<T extends { readonly pids: readonly number[] }>(
  watched: readonly T[],
  signal: AbortSignal,
): Promise<Map<T, number>> {
  const read = async () => {
    const reading = watched.map(async (each) => {
      const used = await readCpuOfTrees(each.pids).catch(() => null);
      const cpuNs = used === null ? Number.NaN : cpuInAll(used).cpuNs;
      return { each, atNs: now(), cpuNs };
    });
    return await Promise.all(reading);
  };
  const from = await read();
  await sleep(SECOND_MS, undefined, { signal });
  const to = await read();
  return new Map(
    to.flatMap(({ each, atNs, cpuNs }, place) => {
      const begun = from[place];
      if (begun === undefined) return [];
      const nsPerS = ((cpuNs - begun.cpuNs) / (atNs - begun.atNs)) * 1e9;
      return Number.isFinite(nsPerS) ? [[each, Math.max(0, nsPerS)] as const] : [];
    }),
  );
}
