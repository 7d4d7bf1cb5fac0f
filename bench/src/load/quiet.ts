import { now, until } from './clock.ts';
import { READ_HERE, type Readings } from './readings.ts';

/** How long a server has to be as quiet as when it is idle. */
const QUIET_NS = 1e9;
/** So much more than idle is no work that is left. */
const SLACK_NS_PER_S = 2e6;

/** How a server was left. */
export interface Quiet {
  /** Whether it used no more than idle in the end; null where nobody waited. */
  isQuiet: boolean | null;
  /**
   * What it uses idle, ns/s: as given, or what it used in the quiet second where that is less, since one that has just
   * started may still be at work.
   */
  idleNsPerS: number;
}

/**
 * Waits until these processes have used no more than they do idle for one whole second, up to the cap; not at all where
 * that is 0, and not on where it is aborted.
 */
export async function untilQuiet(
  pids: readonly number[],
  { capNs, idleNsPerS }: { capNs: number; idleNsPerS: number },
  over: AbortSignal,
  { cpuNs: cpuNsOf }: Pick<Readings, 'cpuNs'> = READ_HERE,
): Promise<Quiet> {
  if (capNs === 0) return { isQuiet: null, idleNsPerS };
  const deadlineNs = now() + capNs;
  while (now() < deadlineNs && !over.aborted) {
    const [fromNs, fromCpuNs] = [now(), await cpuNsOf(pids)];
    await until(fromNs + QUIET_NS, over);
    const nsPerS = (((await cpuNsOf(pids)) - fromCpuNs) / (now() - fromNs)) * 1e9;
    const isWhole = now() - fromNs >= QUIET_NS;
    if (nsPerS <= idleNsPerS + SLACK_NS_PER_S) {
      return { isQuiet: true, idleNsPerS: isWhole ? Math.min(idleNsPerS, nsPerS) : idleNsPerS };
    }
  }
  return { isQuiet: false, idleNsPerS };
}
