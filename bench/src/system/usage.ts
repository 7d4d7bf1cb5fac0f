/** Reads what processes and the machine have used: CPU time, memory, context switches. */
import { readdirSync, readFileSync } from 'node:fs';
import pidusage from 'pidusage';
import { sum } from 'simple-statistics';
import { z } from 'zod';
import { groupsIn, parseThrottling } from './control-groups.ts';
import { numberAfter, parseStat, TICK_NS, textOf, unlessGone, wholeNumber } from './proc-files.ts';
import { allPids, statOf } from './processes.ts';

export const cpuSchema = z.object({
  cpuNs: z.number(),
  /** Time runnable but waiting for a core, ns; 0 if the system does not tell. */
  waitNs: z.number(),
});
/** What processes have used since they started. */
export type CpuReading = z.infer<typeof cpuSchema>;

/** The source of CPU times: `schedstat` counts ns; `pidusage` is coarse (ms at best). */
export const CPU_SOURCE = process.platform === 'linux' ? 'schedstat' : 'pidusage';

/**
 * CPU time of these processes with all threads: of ended ones to 20 ms in all, and with waits up to their last reading.
 * On Linux it is read before the first await, at the same instant as other counts. @throws when a process is gone.
 */
export async function readCpu(pids: readonly number[]): Promise<CpuReading> {
  if (CPU_SOURCE === 'schedstat') return cpuInAll(pids.map((pid) => readProcess(pid)));
  return await readPidusage(pids);
}

/**
 * As `readCpu`, for each process with all its descendants: living ones, and, to 20 ms in all, those that were waited
 * for. A descendant that is one of these processes itself is not counted twice. @throws when one of these is gone.
 */
export async function readCpuOfTrees(pids: readonly number[]): Promise<CpuReading[]> {
  if (CPU_SOURCE !== 'schedstat') return await Promise.all(pids.map((pid) => readPidusage([pid])));
  const children = childrenNow();
  const apart = new Set(pids);
  const read = (pid: number) => readProcess(pid, { withChildren: true });
  return pids.map((pid) => {
    const tree = new Map([[pid, read(pid)]]);
    for (const child of descendantsOf(pid, children, apart)) {
      const reading = unlessGone(() => read(child), null);
      if (reading !== null) tree.set(child, reading);
    }
    const { cpuNs } = cpuInAll([...tree.values()]);
    return { cpuNs, waitNs: sumWithEnded(`waits below ${pid}`, tree, ({ waitNs }) => waitNs) };
  });
}

export function cpuInAll(readings: readonly CpuReading[]): CpuReading {
  return {
    cpuNs: sum(readings.map(({ cpuNs }) => cpuNs)),
    waitNs: sum(readings.map(({ waitNs }) => waitNs)),
  };
}

/**
 * A lower bound for the CPU time of each process's ended threads, ns: the maximum by which the CPU time of the process,
 * which is rounded down to ticks, has exceeded that of its living threads. Each reading can only improve it.
 */
const mostOfEnded = new Map<string, number>();

function readProcess(pid: number, { withChildren = false } = {}): CpuReading {
  // Read first, so that CPU time used meanwhile is not attributed to ended threads.
  const whole = readStat(`/proc/${pid}`);
  const threads = readThreads(pid, 'schedstat', parseSchedstat);
  const living = cpuInAll([...threads.values()]);
  const endedNs = whole.userNs + whole.kernelNs - living.cpuNs;
  const key = `${pid} ${whole.startTicks}`;
  const mostEndedNs = Math.max(0, mostOfEnded.get(key) ?? 0, endedNs);
  mostOfEnded.set(key, mostEndedNs);
  const cpuNs = living.cpuNs + mostEndedNs;
  const waitNs = sumWithEnded(`waits in ${pid}`, threads, (thread) => thread.waitNs);
  return { cpuNs: cpuNs + (withChildren ? whole.childrensNs : 0), waitNs };
}

function readStat(folder: string): ReturnType<typeof parseStat> {
  return parseStat(readFileSync(`${folder}/stat`, 'utf8'));
}

/** A file of each thread of a process, parsed, by the thread's number; threads that end meanwhile are left out. */
function readThreads<T>(pid: number, file: 'schedstat' | 'status', parse: (text: string) => T) {
  const threads = new Map<number, T>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const text = textOf(`/proc/${pid}/task/${thread}/${file}`);
    if (text !== null) threads.set(Number(thread), parse(text));
  }
  return threads;
}

/** Each counter as it was last read: of every living part by its number, and of all ended ones together. */
const lastRead = new Map<string, { living: ReadonlyMap<number, number>; ended: number }>();

/** The sum of a counter over these parts, with ended ones as they were last read: without them it would fall. */
function sumWithEnded<T>(counter: string, parts: ReadonlyMap<number, T>, of: (part: T) => number) {
  const living = new Map([...parts].map(([number, part]) => [number, of(part)]));
  const before = lastRead.get(counter) ?? { living, ended: 0 };
  let { ended } = before;
  for (const [number, value] of before.living) {
    // A counter never falls: if it is lower, another part has got the number of one that has ended.
    if ((living.get(number) ?? 0) < value) ended += value;
  }
  lastRead.set(counter, { living, ended });
  return ended + sum([...living.values()]);
}

/** Parses a `schedstat`: CPU time and time waited, ns. @throws for any other text. */
export function parseSchedstat(text: string): CpuReading {
  const [cpu, wait] = text.split(' ');
  return { cpuNs: wholeNumber(cpu, 'CPU time'), waitNs: wholeNumber(wait, 'time waited') };
}

/** Children by the pid of their parent. */
type Children = ReadonlyMap<number | undefined, readonly number[]>;

/** Listing all processes takes milliseconds, so a list is reused for this time, ns. */
const FRESH_NS = 5e8;
let lastLook: { atNs: number; children: Children } | null = null;

/** All processes by their parents. One that has just started may be missing; none of its CPU time is lost. */
function childrenNow(): Children {
  const atNs = performance.now() * 1e6;
  if (lastLook !== null && atNs - lastLook.atNs < FRESH_NS) return lastLook.children;
  const children = Map.groupBy(allPids(), (pid) => statOf(pid)?.parent);
  lastLook = { atNs, children };
  return children;
}

/** The descendants of a process, except those to read separately. */
function descendantsOf(pid: number, children: Children, apart: ReadonlySet<number>): number[] {
  const own = (children.get(pid) ?? []).filter((child) => !apart.has(child));
  return own.flatMap((child) => [child, ...descendantsOf(child, children, apart)]);
}

/** For systems without /proc. */
export async function readPidusage(pids: readonly number[]): Promise<CpuReading> {
  const usages = await usagesOf(pids);
  return { cpuNs: sum(usages.map(({ ctime }) => ctime * 1e6)), waitNs: 0 };
}

/** What pidusage tells of each of these processes; it refuses an empty list. */
async function usagesOf(pids: readonly number[]) {
  return pids.length === 0 ? [] : Object.values(await pidusage([...pids]));
}

/** Counters of the whole machine since boot, in ticks of 10 ms, and the throttling of the harness. */
export const systemSchema = z.object({
  /** Time that the host took from the cores of this virtual machine, ns. */
  stealNs: z.number(),
  busyNs: z.number(),
  /** Time that the harness's control group was throttled by its CPU quota, ns. */
  throttledNs: z.number(),
});

const OWN_GROUPS = groupsIn(textOf('/proc/self/cgroup') ?? '', 'cpu');
/** This process's control group of version 2, if it is in one. */
const OWN_GROUP = OWN_GROUPS.find(({ version }) => version === 2);

/** Reads it synchronously; null if the system does not tell. */
export function readSystem() {
  if (process.platform !== 'linux') return null;
  // Not every group reports throttling.
  const cpuStat = OWN_GROUP && textOf(`${OWN_GROUP.folder}/cpu.stat`);
  const { throttledNs } = parseThrottling(cpuStat ?? '');
  return { ...parseSystem(readFileSync('/proc/stat', 'utf8')), throttledNs };
}

/** Parses /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal, … in ticks. @throws for any other text. */
export function parseSystem(stat: string) {
  const line = /^cpu +(.*)\n/.exec(stat)?.[1] ?? '';
  const fields = line.split(' ').map((field) => wholeNumber(field, '/proc/stat'));
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = fields;
  const busy = user + nice + system + irq + softirq;
  return { stealNs: steal * TICK_NS, busyNs: busy * TICK_NS };
}

/**
 * The memory of these processes, bytes: their proportional set size, which counts a page that n processes share as 1/n
 * in each, so that the sum over workers is right. Resident size on systems without it. On Linux it reads synchronously,
 * since it would wait up to 100 ms for a busy event loop. @throws when a process is gone.
 */
export async function readMemory(pids: readonly number[]): Promise<number> {
  if (process.platform !== 'linux') return sum((await usagesOf(pids)).map(({ memory }) => memory));
  return sum(pids.map((pid) => readBytes(pid, 'smaps_rollup', 'Pss')));
}

/** Peak resident sizes, bytes, summed with shared pages in each; null if unknown. @throws when a process is gone. */
export function readPeak(pids: readonly number[]): number | null {
  if (process.platform !== 'linux') return null;
  return sum(pids.map((pid) => readBytes(pid, 'status', 'VmHWM')));
}

/** Reads memory from a file under /proc/PID, which has it in kB. */
function readBytes(pid: number, file: string, label: string): number {
  return numberAfter(label, readFileSync(`/proc/${pid}/${file}`, 'utf8')) * 1024;
}

/** What a process's first thread, which runs its JavaScript, has used since it started. */
export const mainThreadSchema = cpuSchema.extend({
  /** The part of `cpuNs` in the kernel, ns, in ticks of 10 ms. */
  kernelNs: z.number(),
});

/** Reads it synchronously; null if the system does not tell. @throws when the process is gone. */
export function readMainThread(pid: number) {
  if (process.platform !== 'linux') return null;
  const thread = `/proc/${pid}/task/${pid}`;
  const used = parseSchedstat(readFileSync(`${thread}/schedstat`, 'utf8'));
  return { ...used, kernelNs: readStat(thread).kernelNs };
}

/** Context switches of threads, of ended ones up to their last reading, and page faults of processes. */
export const schedulingSchema = z.object({
  /** Context switches of threads that waited for something. */
  voluntary: z.number(),
  /** Context switches of threads that could have continued. */
  involuntary: z.number(),
  /** Page faults, minor and major. */
  faults: z.number(),
});

/** Reads their sum for these processes synchronously; null if the system does not tell. @throws when one is gone. */
export function readScheduling(pids: readonly number[]) {
  if (process.platform !== 'linux') return null;
  const processes = pids.map((pid) => ({ pid, threads: readThreads(pid, 'status', String) }));
  const switches = (kind: string) => {
    const countIn = (status: string) => numberAfter(`${kind}_ctxt_switches`, status);
    const counts = processes.map(({ pid, threads }) => {
      return sumWithEnded(`${kind} switches in ${pid}`, threads, countIn);
    });
    return sum(counts);
  };
  return {
    voluntary: switches('voluntary'),
    involuntary: switches('nonvoluntary'),
    faults: sum(pids.map((pid) => readStat(`/proc/${pid}`).pageFaults)),
  };
}
