import { now } from './clock.ts';

const CHECK_MS = 100;
/** A busy machine keeps no process from its core for so long. */
const LONGEST_NS = 3e9;
/** A process that runs for less of the time than this was stopped. */
const WORKING_SHARE = 0.2;

/** Notices when this process does not run for seconds: it was stopped, or the machine slept. */
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
    reset: () => {
      longestNs = 0;
      seen = readClocks();
    },
    /** The longest stall since the reset, ns; 0 without one. */
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
