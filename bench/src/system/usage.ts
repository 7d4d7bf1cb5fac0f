import { existsSync, readdirSync, readFileSync } from 'node:fs';
import pidusage from 'pidusage';
import { z } from 'zod';
import { ifThere, textOf } from './gone.ts';
import { allPids } from './processes.ts';
import { STAT_FIELD, statFields, wholeNumber } from './stat-fields.ts';
import { readThrottling } from './throttling.ts';

export const cpuReadingSchema = z.object({
  /** CPU time used, ns. */
  cpuNs: z.number(),
  /** Time runnable but waiting for a core, ns; 0 where the system does not tell. */
  waitNs: z.number(),
});

/** What a set of processes has used since they started. */
export type CpuReading = z.infer<typeof cpuReadingSchema>;

/** Where CPU time comes from: `schedstat` counts ns; `pidusage` is coarse (ms at best). */
export type CpuSource = 'schedstat' | 'pidusage';
export const CPU_SOURCE: CpuSource = process.platform === 'linux' ? 'schedstat' : 'pidusage';

/**
 * CPU time of these processes with all their threads, also those that have ended, which are known to 20 ms in all; time
 * waited is that of the living.
 * On Linux it reads synchronously before the first await, so counts taken beside the call belong to
 * the same instant.
 * @throws when a process is gone.
 */
export async function readCpu(pids: readonly number[]): Promise<CpuReading> {
  if (pids.length === 0) return { cpuNs: 0, waitNs: 0 };
  return CPU_SOURCE === 'schedstat' ? readSchedstat(pids) : await readPidusage(pids);
}

/**
 * As `readCpu`, of each of these processes with its children and theirs: of those that live, and, to 20 ms in all, of
 * those that have ended and were waited for. A child that is one of these processes itself is not counted twice.
 * @throws when one of these processes is gone.
 */
export async function readCpuOfTrees(pids: readonly number[]): Promise<CpuReading[]> {
  if (CPU_SOURCE !== 'schedstat') return await Promise.all(pids.map((pid) => readPidusage([pid])));
  const children = childrenNow();
  const apart = new Set(pids);
  const read = (pid: number) => readSchedstat([pid], { withChildren: true });
  return pids.map((pid) => {
    const tree = descendantsOf(pid, children, apart);
    return cpuInAll([read(pid), ...tree.map((child) => ifThere(() => read(child), NOTHING))]);
  });
}

export const systemReadingSchema = z.object({
  /** Time that the host took from all cores of this virtual machine, ns. */
  stealNs: z.number(),
  /** Time that all cores were busy, whoever with, ns. */
  busyNs: z.number(),
  /** Time that the control group of the harness was held back by its CPU quota, ns. */
  throttledNs: z.number(),
});
/** What all cores have done since boot, in ticks of 10 ms as a rule, and what was kept from us. */
export type SystemReading = z.infer<typeof systemReadingSchema>;

/** Linux's ticks are 1/100 s to every program, whatever the kernel's own are. */
export const TICK_NS = 1e7;

/** Of this process's control group, where that is one of version 2 with a quota. */
const OWN_GROUP = groupOf(textOf('/proc/self/cgroup') ?? '');

/** Reads it, synchronously, or null where the system does not tell. */
export function readSystem(): SystemReading | null {
  if (process.platform !== 'linux') return null;
  const throttledNs = OWN_GROUP === null ? 0 : readThrottling(OWN_GROUP).throttledNs;
  return { ...parseSystem(readFileSync('/proc/stat', 'utf8')), throttledNs };
}

/**
 * The first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal, … in ticks.
 * @throws for what is none.
 */
export function parseSystem(stat: string): Omit<SystemReading, 'throttledNs'> {
  const line = /^cpu +(.*)\n/.exec(stat)?.[1] ?? '';
  const fields = line.split(' ').map((field) => wholeNumber(field, '/proc/stat'));
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = fields;
  const busy = user + nice + system + irq + softirq;
  return { stealNs: steal * TICK_NS, busyNs: busy * TICK_NS };
}

/** The folder of the group that this names; null where it is not there, or can't have a quota. */
function groupOf(membership: string): string | null {
  const group = /^0::(.*)$/m.exec(membership)?.[1];
  const folder = `/sys/fs/cgroup${group}`;
  return group !== undefined && existsSync(`${folder}/cpu.stat`) ? folder : null;
}

/** The sum of readings of several processes. */
export function cpuInAll(readings: readonly CpuReading[]): CpuReading {
  return readings.reduce((sum, { cpuNs, waitNs }) => {
    return { cpuNs: sum.cpuNs + cpuNs, waitNs: sum.waitNs + waitNs };
  }, NOTHING);
}

const NOTHING: CpuReading = { cpuNs: 0, waitNs: 0 };

/**
 * Memory of these processes, bytes: the proportional set size, which counts a page shared by n
 * processes as 1/n in each, so a sum over workers is right. Resident size where there is no PSS.
 * On Linux it reads synchronously: behind a busy event loop it would wait for up to 100 ms.
 * @throws when a process is gone.
 */
export async function readMemory(pids: readonly number[]): Promise<number> {
  if (pids.length === 0) return 0;
  if (process.platform !== 'linux') {
    const usages = Object.values(await pidusage([...pids]));
    return usages.reduce((sum, usage) => sum + usage.memory, 0);
  }
  const rollups = pids.map((pid) => readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
  return rollups.reduce((sum, rollup) => sum + pssOf(rollup), 0);
}

/** The `Pss` line of a `smaps_rollup`, bytes. */
export function pssOf(rollup: string): number {
  return bytesOn('Pss', rollup, 'smaps_rollup');
}

/**
 * The most that each of these processes has had in memory since it started, summed, bytes: the peak of
 * the resident set (`VmHWM` of `/proc/PID/status`), which counts shared pages in each of them. Null
 * where the system does not tell.
 * @throws when a process is gone.
 */
export function readPeak(pids: readonly number[]): number | null {
  if (process.platform !== 'linux') return null;
  const statuses = pids.map((pid) => readFileSync(`/proc/${pid}/status`, 'utf8'));
  return statuses.reduce((sum, status) => sum + peakOf(status), 0);
}

/** The `VmHWM` line of a `status`, bytes. */
export function peakOf(status: string): number {
  return bytesOn('VmHWM', status, 'status');
}

/** What a line of a file under /proc/PID says in kB, bytes. */
function bytesOn(line: string, text: string, file: string): number {
  const kilobytes = new RegExp(`^${line}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1];
  if (kilobytes === undefined) throw new Error(`${file} has no ${line} line`);
  return wholeNumber(kilobytes, line) * 1024;
}

function readSchedstat(pids: readonly number[], { withChildren = false } = {}): CpuReading {
  let cpuNs = 0;
  let waitNs = 0;
  for (const pid of pids) {
    // First, so that what is used meanwhile is not taken for that of threads that have ended.
    const whole = parseProcess(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    let livingNs = 0;
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const own = readThread(`/proc/${pid}/task/${thread}/schedstat`);
      livingNs += own.cpuNs;
      waitNs += own.waitNs;
    }
    cpuNs += livingNs + endedNs(`${pid} ${whole.started}`, whole.cpuNs - livingNs);
    if (withChildren) cpuNs += whole.childrensNs;
  }
  return { cpuNs, waitNs };
}

/** The most that the ended threads of each process are known to have used, ns. */
const ended = new Map<string, number>();

/**
 * What a process's ended threads have used, at least, ns: the most by which its whole CPU time, which is rounded down,
 * has been more than that of its living threads. It never falls, so each reading can only bring it nearer.
 */
function endedNs(started: string, moreNs: number): number {
  const most = Math.max(0, ended.get(started) ?? 0, moreNs);
  if (most > 0) ended.set(started, most);
  return most;
}

/**
 * Of `/proc/PID/stat`: the CPU time of a process with all its threads, ended ones too, in whole ticks of user and of
 * system time, ns; that of its children that have ended; its parent; and when it started, which tells it from others
 * of its number.
 * @throws for what is none.
 */
export function parseProcess(stat: string): {
  cpuNs: number;
  childrensNs: number;
  parent: number;
  started: string;
} {
  const fields = statFields(stat);
  const number = (name: Exclude<keyof typeof STAT_FIELD, 'state' | 'group'>) => {
    return wholeNumber(fields[STAT_FIELD[name]], `${name} of a process`);
  };
  const ticks = number('user') + number('system');
  return {
    cpuNs: ticks * TICK_NS,
    childrensNs: (number('childrensUser') + number('childrensSystem')) * TICK_NS,
    parent: number('parent'),
    started: String(number('started')),
  };
}

// A thread may end between the listing and the read; its process has not.
function readThread(path: string): CpuReading {
  return ifThere(() => parseSchedstat(readFileSync(path, 'utf8')), NOTHING);
}

/** The children of processes, by these. */
type Children = ReadonlyMap<number, readonly number[]>;

/** To look at every process of the system takes ms: so long is what was seen good enough, ns. */
const FRESH_NS = 5e8;
let seen: { atNs: number; children: Children } | null = null;

/** Who is whose child; one that has just begun may be missing, and is found with all its time a little later. */
function childrenNow(): Children {
  const atNs = performance.now() * 1e6;
  if (seen !== null && atNs - seen.atNs < FRESH_NS) return seen.children;
  const pairs = allPids().flatMap((pid) => {
    const stat = ifThere(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), null);
    return stat === null ? [] : [{ pid, parent: parseProcess(stat).parent }];
  });
  const byParent = Map.groupBy(pairs, ({ parent }) => parent);
  const children = new Map([...byParent].map(([pid, own]) => [pid, own.map((each) => each.pid)]));
  seen = { atNs, children };
  return children;
}

/** All that a process has begun, and these have; without what is read by itself. */
function descendantsOf(pid: number, children: Children, apart: ReadonlySet<number>): number[] {
  const own = (children.get(pid) ?? []).filter((child) => !apart.has(child));
  return own.flatMap((child) => [child, ...descendantsOf(child, children, apart)]);
}

/** A `schedstat`: CPU time and time waited, ns. @throws for what is none. */
export function parseSchedstat(text: string): CpuReading {
  const [cpu, wait] = text.split(' ');
  return { cpuNs: wholeNumber(cpu, 'CPU time'), waitNs: wholeNumber(wait, 'time waited') };
}

/** The portable way, for systems without /proc. */
export async function readPidusage(pids: readonly number[]): Promise<CpuReading> {
  const usages = Object.values(await pidusage([...pids]));
  return { cpuNs: usages.reduce((sum, usage) => sum + usage.ctime * 1e6, 0), waitNs: 0 };
}
