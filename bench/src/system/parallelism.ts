import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { hierarchiesOf } from './control-groups.ts';
import { textOf } from './gone.ts';

/**
 * How many processes can really run at once here: no more than there are cores that this process may
 * use, and no more than its control groups give CPU time for. Node itself heeds the cores, but not
 * every kind of quota.
 */
export function parallelism(): number {
  return Math.max(1, Math.min(availableParallelism(), Math.floor(quotaCores(textOf))));
}

/**
 * The cores' worth of CPU time that this process's control groups allow, the least of its own and
 * those above it; infinite without a quota. `read` gives the text of a file, or null without it.
 */
export function quotaCores(read: (path: string) => string | null): number {
  const quotas = hierarchiesOf('cpu', read('/proc/self/cgroup') ?? '').flatMap(
    ({ version, folders }) => {
      const quotaOf = version === 2 ? quotaOfV2 : quotaOfV1;
      return folders.map((folder) => quotaOf(folder, read));
    },
  );
  return Math.min(...quotas);
}

/** `cpu.max` holds `max 100000`, or a quota and a period in µs. */
function quotaOfV2(folder: string, read: (path: string) => string | null): number {
  const [quota, period] = (read(join(folder, 'cpu.max')) ?? 'max').split(' ').map(Number);
  return ratio(quota, period);
}

/** A quota of −1 is none. */
function quotaOfV1(folder: string, read: (path: string) => string | null): number {
  const quota = Number(read(join(folder, 'cpu.cfs_quota_us')) ?? -1);
  return ratio(quota, Number(read(join(folder, 'cpu.cfs_period_us'))));
}

function ratio(quota = 0, period = 0): number {
  const cores = quota / period;
  const isQuota = quota > 0 && period > 0 && cores > 0 && Number.isFinite(cores);
  return isQuota ? cores : Number.POSITIVE_INFINITY;
}
