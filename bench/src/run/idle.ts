import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../load/clock.ts';
import { cpuInAll, readCpuOfTrees } from '../system/usage.ts';

const SECOND_MS = 1000;
/** Below this share of a core, no work is left. */
const AT_REST = 0.01;
/** Above this share of a core, earlier requests are still being worked off, however evenly. */
const BUSY = 0.5;
/** What is left of earlier work decreases from second to second; what remains after this many is idle use. */
const MOST_SECONDS = 5;
/** A second counts as a decrease below this share of the one before it. */
const LESS = 0.9;

/** A server or a service. */
interface Process {
  readonly pids: readonly number[];
}

/** CPU time of each in a second without requests or earlier work, ns; none if it dies. @throws the signal's reason. */
export async function measureIdle<T extends Process>(all: readonly T[], signal: AbortSignal) {
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

async function useInSecond<T extends Process>(watched: readonly T[], signal: AbortSignal) {
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
