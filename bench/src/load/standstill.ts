import { now } from './clock.ts';

const CHECK_MS = 100;
/** Longer than a busy machine keeps a process from its core, with room. */
const LONGEST_NS = 3e9;
/** One that worked for less of the time than this was not at work. */
const WORKING_SHARE = 0.5;

/** Notices that this process did not run for seconds: it was stopped, or the machine slept. */
export class Standstill {
  #seen = { atNs: now(), cpu: process.cpuUsage() };
  #longestNs = 0;

  constructor() {
    setInterval(() => this.#look(), CHECK_MS).unref();
  }

  /** Forgets all that was until now. */
  reset(): void {
    this.#longestNs = 0;
    this.#seen = { atNs: now(), cpu: process.cpuUsage() };
  }

  /** The longest since then, ns; null where there was none. */
  get longestNs(): number | null {
    this.#look();
    return this.#longestNs > 0 ? this.#longestNs : null;
  }

  #look(): void {
    const atNs = now();
    const ns = atNs - this.#seen.atNs;
    const { user, system } = process.cpuUsage(this.#seen.cpu);
    const stoodStill = ns > LONGEST_NS && (user + system) * 1000 < WORKING_SHARE * ns;
    if (stoodStill) this.#longestNs = Math.max(this.#longestNs, ns);
    this.#seen = { atNs, cpu: process.cpuUsage() };
  }
}
