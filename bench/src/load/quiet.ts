import { cpuInAll, readCpuOfTrees } from '../system/usage.ts';
import { now, until } from './clock.ts';

/** How long a server has to be as quiet as when it is idle. */
const QUIET_NS = 1e9;
/** So much more than idle is no work that is left, as a share of a core. */
const SLACK_SHARE = 0.002;

/**
 * Waits until these processes have used no more than they do idle for one whole second. Resolves to whether they
 * were so before the cap, when it is aborted at once; to null where nobody waits.
 */
export async function untilQuiet(
  pids: readonly number[],
  { capNs, idleNsPerS }: { capNs: number; idleNsPerS: number },
  over: AbortSignal,
): Promise<boolean | null> {
  if (capNs === 0) return null;
  const deadlineNs = now() + capNs;
  while (now() < deadlineNs && !over.aborted) {
    const [fromNs, fromCpuNs] = [now(), await cpuNsOf(pids)];
    await until(fromNs + QUIET_NS, over);
    const share = ((await cpuNsOf(pids)) - fromCpuNs) / (now() - fromNs);
    if (share <= idleNsPerS / 1e9 + SLACK_SHARE) return true;
  }
  return false;
}

async function cpuNsOf(pids: readonly number[]): Promise<number> {
  return cpuInAll(await readCpuOfTrees(pids)).cpuNs;
}
