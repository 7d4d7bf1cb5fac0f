import { now } from './clock.ts';

const CHECK_MS = 100;
/** Longer than a busy machine keeps a process from its core, with room. */
const LONGEST_NS = 3e9;
/** One that has its core for less of the time than this does not share it with a few others: it was stopped. */
const WORKING_SHARE = 0.2;

/** Notices that this process did not run for seconds: it was stopped, or the machine slept. */
export class Standstill {
  #seen = clocks();
  #longestNs = 0;

  constructor() {
    setInterval(() => this.#look(), CHECK_MS).unref();
  }

  /** Forgets all that was until now. */
  reset(): void {
    this.#longestNs = 0;
    this.#seen = clocks();
  }

  /** The longest since then, ns; 0 where there was none. */
  get longestNs(): number {
    this.#look();
    return this.#longestNs;
  }

  #look(): void {
    const before = this.#seen;
    this.#seen = clocks();
    const ns = this.#seen.atNs - before.atNs;
    const stoodStill = ns > LONGEST_NS && this.#seen.cpuNs - before.cpuNs < WORKING_SHARE * ns;
    if (stoodStill) this.#longestNs = Math.max(this.#longestNs, ns);
  }
}

function clocks(): { atNs: number; cpuNs: number } {
  const { user, system } = process.cpuUsage();
  return { atNs: now(), cpuNs: (user + system) * 1000 };
}
