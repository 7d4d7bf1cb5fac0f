import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * How many processes can really run at once here: no more than there are cores that this process may
 * use, and no more than its control groups give CPU time for. Node itself heeds the cores, but not
 * every kind of quota.
 */
export function parallelism(): number {
  return Math.max(1, Math.min(availableParallelism(), Math.floor(quotaCores(textOf))));
}

/** Where control groups are: of version 1 by controller, of version 2 all together. */
const ROOT = '/sys/fs/cgroup';

/**
 * The cores' worth of CPU time that this process's control groups allow, the least of its own and
 * those above it; infinite without a quota. `read` gives the text of a file, or null without it.
 */
export function quotaCores(read: (path: string) => string | null): number {
  const lines = (read('/proc/self/cgroup') ?? '').split('\n').filter((line) => line !== '');
  const quotas = lines.flatMap((line) => {
    const [, controllers = '', ...path] = line.split(':');
    const group = path.join(':');
    if (controllers === '') return above(group).map((each) => quotaOfV2(join(ROOT, each), read));
    if (!controllers.split(',').includes('cpu')) return [];
    return ['cpu', controllers].flatMap((mount) => {
      return above(group).map((each) => quotaOfV1(join(ROOT, mount, each), read));
    });
  });
  return Math.min(...quotas);
}

/** A group and all above it. */
function above(group: string): string[] {
  return group === '/' ? [group] : [group, ...above(dirname(group))];
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
  return quota > 0 && period > 0 ? quota / period : Number.POSITIVE_INFINITY;
}

function textOf(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}
