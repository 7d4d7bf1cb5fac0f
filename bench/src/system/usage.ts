/** What processes and the machine have used: CPU time, memory, and what the scheduler did to them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import pidusage from 'pidusage';
import { sum } from 'simple-statistics';
import { z } from 'zod';
import { groupsIn, readThrottling } from './control-groups.ts';
import { numberAfter, parseStat, TICK_NS, textOf, unlessGone, wholeNumber } from './proc-files.ts';
import { allPids } from './processes.ts';

export const cpuReadingSchema = z.object({
  /** CPU time used, ns. */
  cpuNs: z.number(),
  /** Time runnable but waiting for a core, ns; 0 where the system does not say. */
  waitNs: z.number(),
});

/** What some processes have used since they started. */
export type CpuReading = z.infer<typeof cpuReadingSchema>;

/** Where CPU time comes from: `schedstat` counts ns; `pidusage` is coarse (ms at best). */
export type CpuSource = 'schedstat' | 'pidusage';
export const CPU_SOURCE: CpuSource = process.platform === 'linux' ? 'schedstat' : 'pidusage';

/**
 * CPU time of these processes with all their threads. That of threads that have ended is known to 20 ms in all; the
 * time waited is that of living threads.
 * On Linux it reads synchronously before the first await, so that counts taken beside the call belong to the same
 * instant.
 * @throws when a process is gone.
 */
export async function readCpu(pids: readonly number[]): Promise<CpuReading> {
  if (CPU_SOURCE === 'schedstat') return cpuInAll(pids.map((pid) => readProcess(pid)));
  return pids.length === 0 ? cpuInAll([]) : await readPidusage(pids);
}

/**
 * As `readCpu`, for each of these processes with all its descendants: those that live, and, to 20 ms in all, those
 * that have ended and were waited for. A descendant that is one of these processes itself is not counted twice.
 * @throws when one of these processes is gone.
 */
export async function readCpuOfTrees(pids: readonly number[]): Promise<CpuReading[]> {
  if (CPU_SOURCE !== 'schedstat') return await Promise.all(pids.map((pid) => readPidusage([pid])));
  const children = childrenNow();
  const apart = new Set(pids);
  const read = (pid: number) => readProcess(pid, { withChildren: true });
  return pids.map((pid) => {
    const tree = descendantsOf(pid, children, apart);
    return cpuInAll([read(pid), ...tree.flatMap((child) => unlessGone(() => read(child), []))]);
  });
}

/** The sum of these readings. */
export function cpuInAll(readings: readonly CpuReading[]): CpuReading {
  return {
    cpuNs: sum(readings.map(({ cpuNs }) => cpuNs)),
    waitNs: sum(readings.map(({ waitNs }) => waitNs)),
  };
}

function readProcess(pid: number, { withChildren = false } = {}): CpuReading {
  // First, so that what is used meanwhile does not count as that of ended threads.
  const whole = readStat(`/proc/${pid}`);
  const living = cpuInAll(readThreads(pid, 'schedstat').map(parseSchedstat));
  const endedNs = whole.userNs + whole.kernelNs - living.cpuNs;
  const cpuNs = living.cpuNs + mostOfEnded(`${pid} ${whole.startTicks}`, endedNs);
  return { cpuNs: cpuNs + (withChildren ? whole.childrensNs : 0), waitNs: living.waitNs };
}

function readStat(folder: string): ReturnType<typeof parseStat> {
  return parseStat(readFileSync(`${folder}/stat`, 'utf8'));
}

/** A file of each thread of a process, except those that end between the listing and the read. */
function readThreads(pid: number, file: 'schedstat' | 'status'): string[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.flatMap((thread) => textOf(`/proc/${pid}/task/${thread}/${file}`) ?? []);
}

/** A `schedstat`: CPU time and time waited, ns. @throws for any other text. */
export function parseSchedstat(text: string): CpuReading {
  const [cpu, wait] = text.split(' ');
  return { cpuNs: wholeNumber(cpu, 'CPU time'), waitNs: wholeNumber(wait, 'time waited') };
}

/** The most that the ended threads of each process are known to have used, ns. */
const mostKnown = new Map<string, number>();

/**
 * What the ended threads of a process have used, at least, ns: the most by which the CPU time of the process, which is
 * rounded down, has exceeded that of its living threads. It never falls, so each reading can only bring it nearer.
 */
function mostOfEnded(key: string, nowNs: number): number {
  const mostNs = Math.max(0, mostKnown.get(key) ?? 0, nowNs);
  if (mostNs > 0) mostKnown.set(key, mostNs);
  return mostNs;
}

/** The children of processes, by the pids of these. */
type Children = ReadonlyMap<number, readonly number[]>;

/** Listing all processes takes milliseconds: a list is used for this long, ns. */
const FRESH_NS = 5e8;
let lastLook: { atNs: number; children: Children } | null = null;

/** All processes by their parents. One that has just started may be missing; later all of its time is found. */
function childrenNow(): Children {
  const atNs = performance.now() * 1e6;
  if (lastLook !== null && atNs - lastLook.atNs < FRESH_NS) return lastLook.children;
  const children = new Map<number, number[]>();
  for (const pid of allPids()) {
    const stat = textOf(`/proc/${pid}/stat`);
    if (stat === null) continue;
    const { parent } = parseStat(stat);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  lastLook = { atNs, children };
  return children;
}

/** The descendants of a process, except those that are read separately. */
function descendantsOf(pid: number, children: Children, apart: ReadonlySet<number>): number[] {
  const own = (children.get(pid) ?? []).filter((child) => !apart.has(child));
  return own.flatMap((child) => [child, ...descendantsOf(child, children, apart)]);
}

/** The portable way, for systems without /proc. */
export async function readPidusage(pids: readonly number[]): Promise<CpuReading> {
  const usages = Object.values(await pidusage([...pids]));
  return { cpuNs: sum(usages.map(({ ctime }) => ctime * 1e6)), waitNs: 0 };
}

export const systemReadingSchema = z.object({
  /** Time that the host took from all cores of this virtual machine, ns. */
  stealNs: z.number(),
  /** Time that all cores were busy, with whatever, ns. */
  busyNs: z.number(),
  /** Time that the control group of the harness was throttled by its CPU quota, ns. */
  throttledNs: z.number(),
});
/** What all cores have done since boot, usually in ticks of 10 ms, and the time that they were withheld from us. */
export type SystemReading = z.infer<typeof systemReadingSchema>;

/** This process's control group, where that is one of version 2 with a quota. */
const OWN_GROUP = ownGroup();

function ownGroup(): string | null {
  const groups = groupsIn(textOf('/proc/self/cgroup') ?? '', 'cpu');
  const { folder = null } = groups.find(({ version }) => version === 2) ?? {};
  return folder !== null && existsSync(`${folder}/cpu.stat`) ? folder : null;
}

/** Reads it, synchronously; null where the system does not say. */
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

/**
 * Memory of these processes, bytes: the proportional set size, which counts a page shared by n
 * processes as 1/n in each, so that a sum over workers is right. Resident size where there is no PSS.
 * On Linux it reads synchronously: behind a busy event loop it would wait for up to 100 ms.
 * @throws when a process is gone.
 */
export async function readMemory(pids: readonly number[]): Promise<number> {
  if (process.platform === 'linux') return sum(pids.map((pid) => readBytes(pid, 'smaps_rollup')));
  const usages = pids.length === 0 ? [] : Object.values(await pidusage([...pids]));
  return sum(usages.map(({ memory }) => memory));
}

/**
 * The most that each of these processes has had in memory since it started, summed, bytes: the peak of
 * the resident set, which counts shared pages in each of them. Null where the system does not say.
 * @throws when a process is gone.
 */
export function readPeak(pids: readonly number[]): number | null {
  if (process.platform !== 'linux') return null;
  return sum(pids.map((pid) => readBytes(pid, 'status')));
}

/** The line of a file under /proc/PID that holds memory, in kB. */
const MEMORY_LINE = { smaps_rollup: 'Pss', status: 'VmHWM' };

function readBytes(pid: number, file: keyof typeof MEMORY_LINE): number {
  return numberAfter(MEMORY_LINE[file], readFileSync(`/proc/${pid}/${file}`, 'utf8')) * 1024;
}

export const mainThreadSchema = cpuReadingSchema.extend({
  /** The part of `cpuNs` that was spent in the kernel, ns, in ticks of 10 ms. */
  kernelNs: z.number(),
});
/** What the first thread of a process, which runs its JavaScript, has used since it started. */
export type MainThread = z.infer<typeof mainThreadSchema>;

/**
 * Reads it, synchronously; null where the system does not say.
 * @throws when the process is gone.
 */
export function readMainThread(pid: number): MainThread | null {
  if (process.platform !== 'linux') return null;
  const thread = `/proc/${pid}/task/${pid}`;
  const used = parseSchedstat(readFileSync(`${thread}/schedstat`, 'utf8'));
  return { ...used, kernelNs: readStat(thread).kernelNs };
}

export const schedulingSchema = z.object({
  /** Context switches of threads that had to wait for something. */
  voluntary: z.number(),
  /** Context switches of threads that could have continued. */
  involuntary: z.number(),
  /** Page faults, minor and major. */
  faults: z.number(),
});
/** Context switches, of living threads, and page faults of processes since they started. */
export type Scheduling = z.infer<typeof schedulingSchema>;

/**
 * Reads the sum for these processes, synchronously; null where the system does not say.
 * @throws when one is gone.
 */
export function readScheduling(pids: readonly number[]): Scheduling | null {
  if (process.platform !== 'linux') return null;
  const statuses = pids.flatMap((pid) => readThreads(pid, 'status'));
  const switches = (kind: string) => {
    return sum(statuses.map((status) => numberAfter(`${kind}_ctxt_switches`, status)));
  };
  return {
    voluntary: switches('voluntary'),
    involuntary: switches('nonvoluntary'),
    faults: sum(pids.map((pid) => readStat(`/proc/${pid}`).pageFaults)),
  };
}
