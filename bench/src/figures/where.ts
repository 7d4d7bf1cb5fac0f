import { plus } from '../math/counters.ts';
import type { CodeOwner, Profile, ProfiledFunction } from '../record/profile.ts';
import type { Slice } from '../record/record.ts';
import { responsesOf, sum } from './figures.ts';

type Functions = readonly ProfiledFunction[];

/** What CPU time is charged to: the kernel, V8's background threads, or the owner of the code that ran. */
export type Part = CodeOwner | { kind: 'kernel' } | { kind: 'background' };

/** The CPU time of a request that is charged to a part, ns. */
interface PartTime {
  part: Part;
  ns: number;
  /** By function; empty for parts without functions. */
  functions: ProfiledFunction[];
}

export type WhereTime = NonNullable<ReturnType<typeof whereIn>>;

/** What was observed of a server in the slices of a launch with V8's sampler on, or in those with it off. */
export interface Side {
  slices: readonly Slice[];
  /** Garbage collection in all of their windows, by the collector's own clock; null if it was not read. */
  collectedNs: number | null;
}

/** Functions in C++ that exist to make a system call; most time of a server's goes to writing to its sockets. */
const SYSTEM_CALLS = /^(write|read|open|close|shutdown|stat|fstat|connect|accept|send|recv)/;

/** Whether samples charge it with time in the kernel: such a function, or the event loop, which reads and waits. */
function callsKernel({ owner: { kind }, name }: ProfiledFunction): boolean {
  return kind === 'program' || kind === 'idle' || (kind === 'native' && SYSTEM_CALLS.test(name));
}

/**
 * Where the CPU time of a request went in a launch, from the slices without sampling, those with it, and the profile
 * of those; null if one of them is missing.
 *
 * Samples follow the clock and show what the main thread was doing. So the time in which that thread slept is taken off
 * `(idle)`, and the rest of `(idle)` was work; the time in which it waited for a core is taken off all in proportion.
 * The cost of sampling is known from the slices without it, and is taken off too. The kernel's time is known from the
 * system; samples charge it to the functions that call the kernel, so it is taken off these in proportion. The time of
 * other threads is known from the system too. Nothing is defined as the remainder of the rest.
 */
export function whereIn(plain: Side, sampled: Side, profile: Profile | undefined) {
  const [alone, watched] = [threadOf(plain), threadOf(sampled)];
  if (alone === null || watched === null || profile === undefined) return null;
  const perRequest = profile.functions.map((each) => ({ ...each, ns: each.ns / watched.requests }));
  const worked = scaled(withoutSleep(perRequest, watched.sleptNs), () => watched.running);
  const own = withoutSampling(worked, alone, watched);
  const { kernelNs } = alone;
  const callingNs = timeOf(own, callsKernel);
  const share = callingNs === 0 ? 0 : Math.min(1, kernelNs / callingNs);
  const charged = scaled(own, (each) => (callsKernel(each) ? 1 - share : 1));
  /** As the system counts it, without sampling. */
  const measuredNs = serverTimeIn(plain.slices);
  /** What sampling added to it. */
  const samplingNs = serverTimeIn(sampled.slices) - measuredNs;
  const parts: PartTime[] = [
    { part: { kind: 'kernel' }, ns: kernelNs, functions: [] },
    { part: { kind: 'background' }, ns: measuredNs - alone.cpuNs, functions: [] },
    ...byOwner(charged),
  ];
  const byKey = new Map(parts.map((each) => [partKey(each.part), each]));
  return { measuredNs, samplingNs, parts: byKey };
}

/** CPU time of a server for each response, as the system counts it, ns; not finite without responses. */
export function serverTimeIn(slices: readonly Slice[]): number {
  return sum(slices, ({ measurement }) => measurement.cpu.server.cpuNs) / sum(slices, responsesOf);
}

/** A part's name, the same in every launch and for every target. */
export function partKey(part: Part): string {
  return part.kind === 'package' ? `${part.name} ${part.version}` : `(${part.kind})`;
}

/** What a request used of the main thread in slices, ns. */
type ThreadUse = NonNullable<ReturnType<typeof threadOf>>;

/** Null if that was not measured. */
function threadOf({ slices, collectedNs }: Side) {
  const threads = slices.flatMap(({ measurement: { mainThread } }) => mainThread ?? []);
  const requests = sum(slices, responsesOf);
  if (threads.length === 0 || threads.length < slices.length || requests === 0) return null;
  const { cpuNs, waitNs, kernelNs } = threads.reduce((all, each) => plus(all, each));
  const sleptNs = sum(slices, ({ measurement }) => measurement.windowNs) - cpuNs - waitNs;
  return {
    requests,
    cpuNs: cpuNs / requests,
    kernelNs: kernelNs / requests,
    sleptNs: Math.max(0, sleptNs) / requests,
    /** The share of the time without sleep in which it had a core. */
    running: cpuNs / (cpuNs + waitNs),
    /** Garbage collection; NaN if unknown. */
    collectedNs: (collectedNs ?? Number.NaN) / requests,
  };
}

/** Without the time in which the thread slept, which V8 calls idle, or else its program. */
function withoutSleep(functions: Functions, sleptNs: number): ProfiledFunction[] {
  const nsOf = (kind: CodeOwner['kind']) => timeOf(functions, ({ owner }) => owner.kind === kind);
  const idle = Math.min(nsOf('idle'), sleptNs);
  const program = Math.min(nsOf('program'), sleptNs - idle);
  const asleep: Partial<Record<CodeOwner['kind'], number>> = { idle, program };
  return scaled(functions, ({ owner: { kind } }) => {
    const offNs = asleep[kind] ?? 0;
    return offNs === 0 ? 1 : 1 - offNs / nsOf(kind);
  });
}

/**
 * Without what sampling added to a request. While V8 samples, its collector has to report every object that it moves,
 * and slows down more than the rest: its own clock says by how much. All others slow down in proportion, since the
 * sampler stops whatever runs; so does the collector if its clock says nothing (NaN).
 */
function withoutSampling(functions: Functions, alone: ThreadUse, watched: ThreadUse) {
  const isCollector = ({ owner }: ProfiledFunction) => owner.kind === 'collector';
  const byClock = alone.collectedNs / watched.collectedNs;
  const collectorNs = timeOf(functions, isCollector);
  const othersNs = alone.cpuNs - collectorNs * byClock;
  const sampledOthersNs = watched.cpuNs - collectorNs;
  const isKnown = othersNs > 0 && sampledOthersNs > 0;
  const ofAll = alone.cpuNs / watched.cpuNs;
  const ofCollector = isKnown ? byClock : ofAll;
  const ofOthers = isKnown ? othersNs / sampledOthersNs : ofAll;
  return scaled(functions, (each) => (isCollector(each) ? ofCollector : ofOthers));
}

function timeOf(functions: Functions, isOne: (each: ProfiledFunction) => boolean): number {
  return sum(functions, (each) => (isOne(each) ? each.ns : 0));
}

function scaled(functions: Functions, by: (each: ProfiledFunction) => number): ProfiledFunction[] {
  return functions.map((each) => ({ ...each, ns: each.ns * by(each) }));
}

function byOwner(charged: Functions): PartTime[] {
  const owners = Map.groupBy(charged, ({ owner }) => partKey(owner));
  return [...owners.values()].flatMap((functions) => {
    const ns = sum(functions, (each) => each.ns);
    return functions.slice(0, 1).map(({ owner }) => ({ part: owner, ns, functions }));
  });
}
