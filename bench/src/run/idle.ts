import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../load/clock.ts';
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

/** A server or a service. */
interface Process {
  readonly pids: readonly number[];
}

/**
 * What each of these uses in a second in which nobody asks for anything, ns of CPU time, once they have done what is
 * left of what they were asked before; nothing of one that dies meanwhile.
 * @throws the signal's reason when it is aborted.
 */
export async function measureIdle<T extends Process>(
  all: readonly T[],
  signal: AbortSignal,
): Promise<Map<T, number>> {
  const watched = all.filter(({ pids }) => pids.length > 0);
  let uses = new Map<T, number>();
  for (let second = 0; second < MOST_SECONDS && watched.length > 0; second++) {
    const before = uses;
    uses = await useInSecond(watched, signal);
    const isStillAtWork = ([each, nsPerS]: [T, number]) => {
      const isBusy = nsPerS > BUSY * 1e9;
      return nsPerS > AT_REST * 1e9 && (isBusy || nsPerS < LESS * (before.get(each) ?? Infinity));
    };
    if (![...uses].some(isStillAtWork)) break;
  }
  return uses;
}

/** CPU time of each in a second, ns; without those that are gone. */
async function useInSecond<T extends Process>(
  watched: readonly T[],
  signal: AbortSignal,
): Promise<Map<T, number>> {
  const read = async (each: T) => {
    const used = await readCpuOfTrees(each.pids).catch(() => null);
    return { each, atNs: now(), cpuNs: used && cpuInAll(used).cpuNs };
  };
  const from = await Promise.all(watched.map(read));
  await sleep(SECOND_MS, undefined, { signal });
  const to = await Promise.all(watched.map(read));
  const uses = new Map<T, number>();
  for (const [place, { each, atNs, cpuNs }] of to.entries()) {
    const begun = from[place];
    if (cpuNs === null || begun === undefined || begun.cpuNs === null) continue;
    uses.set(each, (Math.max(0, cpuNs - begun.cpuNs) / (atNs - begun.atNs)) * 1e9);
  }
  return uses;
}
