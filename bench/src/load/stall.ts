import { now } from './clock.ts';

const CHECK_MS = 100;
/** Longer than a busy machine keeps a process from its core, with room. */
const LONGEST_NS = 3e9;
/** A process that has its core for less of the time than this does not just share it: it was stopped. */
const WORKING_SHARE = 0.2;

/** Notices that this process did not run for seconds: it was stopped, or the machine slept. */
export function watchStalls() {
  let seen = readClocks();
  let longestNs = 0;
  const look = () => {
    const before = seen;
    seen = readClocks();
    const ns = seen.atNs - before.atNs;
    const hasStalled = ns > LONGEST_NS && seen.cpuNs - before.cpuNs < WORKING_SHARE * ns;
    if (hasStalled) longestNs = Math.max(longestNs, ns);
  };
  setInterval(look, CHECK_MS).unref();
  return {
    /** Forgets everything until now. */
    reset: () => {
      longestNs = 0;
      seen = readClocks();
    },
    /** The longest stall since then, ns; 0 where there was none. */
    longestNs: () => {
      look();
      return longestNs;
    },
  };
}

function readClocks() {
  const { user, system } = process.cpuUsage();
  return { atNs: now(), cpuNs: (user + system) * 1000 };
}
