import type { Charged, CodeOwner, Profile } from '../record/profile.ts';
import type { Slice } from '../record/record.ts';
import type { MainThread } from '../system/main-thread.ts';
import { responsesOf, sum } from './figures.ts';

/** Whom CPU time goes to: the kernel, V8's threads beside the first, or who owns what ran. */
export type Part = CodeOwner | { kind: 'kernel' } | { kind: 'background' };

/** What a part takes of a request, ns of CPU. */
export interface PartTime {
  part: Part;
  ns: number;
  /** Of it, function by function; empty where there are none. */
  functions: Charged[];
}

/** Where the CPU time of a request went in one launch, ns. */
export interface WhereTime {
  /** As the system counts it, while nobody sampled. */
  measuredNs: number;
  /** What sampling added to it. */
  samplingNs: number;
  parts: PartTime[];
}

/** What was seen of a server in the slices of a launch in which V8 sampled it, or in those in which it did not. */
export interface Side {
  slices: readonly Slice[];
  /** What the collector took in all of their windows, by its own clock; null where nobody asked it. */
  collectedNs: number | null;
}

/** Functions in C++ that are there to make a system call; most of a server's write to its sockets. */
const SYSTEM_CALLS = /^(write|read|open|close|shutdown|stat|fstat|connect|accept|send|recv)/;

/** Whether samples charge it with time in the kernel: such a function, or the event loop, which reads and waits. */
function callsKernel({ owner: { kind }, name }: Charged): boolean {
  return kind === 'program' || kind === 'idle' || (kind === 'native' && SYSTEM_CALLS.test(name));
}

/**
 * Where a request's CPU time went in a launch, by the slices in which nobody sampled, those in which V8
 * did, and what it saw; null where one of them is missing.
 *
 * A sample says what the first thread was doing, by the clock. So the time in which that thread slept comes
 * off `(idle)`, and what is left of it was work; the time in which it waited for a core comes off all in
 * proportion. What sampling costs is known from the slices without it, and comes off too. The kernel's time is
 * known from the system; samples charge it to those that call it, and it comes off these in proportion. What
 * other threads took is known from the system too. Nothing is what is left over.
 */
export function whereIn(
  plain: Side,
  sampled: Side,
  profile: Profile | undefined,
): WhereTime | null {
  const [alone, watched] = [threadOf(plain.slices), threadOf(sampled.slices)];
  if (alone === null || watched === null || profile === undefined) return null;
  const sleptNs = Math.max(0, watched.windowNs - watched.cpuNs - watched.waitNs) / watched.requests;
  const perRequest = profile.functions.map((each) => ({ ...each, ns: each.ns / watched.requests }));
  const [aloneNs, watchedNs] = [alone.cpuNs / alone.requests, watched.cpuNs / watched.requests];
  const running = watched.cpuNs / (watched.cpuNs + watched.waitNs);
  const worked = scaled(withoutSleep(perRequest, sleptNs), () => running);
  const collectedIn = ({ collectedNs }: Side, { requests }: Used) => {
    return (collectedNs ?? Number.NaN) / requests;
  };
  const byClock = collectedIn(plain, alone) / collectedIn(sampled, watched);
  const own = withoutSampling(worked, { aloneNs, watchedNs, byClock });
  const kernelNs = alone.kernelNs / alone.requests;
  const callingNs = sum(own.filter(callsKernel), ({ ns }) => ns);
  const share = callingNs === 0 ? 0 : Math.min(1, kernelNs / callingNs);
  const charged = scaled(own, (each) => (callsKernel(each) ? 1 - share : 1));
  const measuredNs = serverTimeIn(plain.slices);
  const parts: PartTime[] = [
    { part: { kind: 'kernel' }, ns: kernelNs, functions: [] },
    { part: { kind: 'background' }, ns: measuredNs - aloneNs, functions: [] },
    ...byOwner(charged),
  ];
  return { measuredNs, samplingNs: serverTimeIn(sampled.slices) - measuredNs, parts };
}

/** What the server took of a request in slices of a launch, as the system counts it, ns; not finite where none is answered. */
export function serverTimeIn(slices: readonly Slice[]): number {
  return sum(slices, ({ measurement }) => measurement.cpu.server.cpuNs) / sum(slices, responsesOf);
}

/** A part's name, the same in every launch and for every target. */
export function partKey(part: Part): string {
  return part.kind === 'package' ? `${part.name} ${part.version}` : `(${part.kind})`;
}

interface Used extends MainThread {
  windowNs: number;
  requests: number;
}

/** What the first thread used in the windows of slices; null where nobody looked. */
function threadOf(slices: readonly Slice[]): Used | null {
  const threads = slices.flatMap(({ measurement: { mainThread } }) => mainThread ?? []);
  const requests = sum(slices, responsesOf);
  if (threads.length === 0 || threads.length < slices.length || requests === 0) return null;
  const all = (what: keyof MainThread) => sum(threads, (each) => each[what]);
  const windowNs = sum(slices, ({ measurement }) => measurement.windowNs);
  const [cpuNs, waitNs, kernelNs] = [all('cpuNs'), all('waitNs'), all('kernelNs')];
  return { cpuNs, waitNs, kernelNs, windowNs, requests };
}

/** Without the time in which the thread slept, which V8 calls idle, or else its program. */
function withoutSleep(functions: readonly Charged[], sleptNs: number): Charged[] {
  const nsOf = (kind: CodeOwner['kind']) => {
    return sum(functions, ({ owner, ns }) => (owner.kind === kind ? ns : 0));
  };
  const idleNs = nsOf('idle');
  const ofIdle = Math.min(idleNs, sleptNs);
  const ofProgram = Math.min(nsOf('program'), sleptNs - ofIdle);
  const off: Partial<Record<CodeOwner['kind'], number>> = { idle: ofIdle, program: ofProgram };
  return scaled(functions, ({ owner: { kind } }) => {
    const offNs = off[kind] ?? 0;
    return offNs === 0 ? 1 : 1 - offNs / nsOf(kind);
  });
}

/**
 * Without what sampling added to a request of the first thread. While V8 samples, its collector has to tell of
 * every object that it moves, and takes longer by more than others do: by how much its own clock knows. All
 * others pay in proportion, since the sampler stops whatever runs; so does the collector where its clock says
 * nothing (NaN).
 */
function withoutSampling(
  functions: readonly Charged[],
  { aloneNs, watchedNs, byClock }: Record<'aloneNs' | 'watchedNs' | 'byClock', number>,
): Charged[] {
  const isCollector = ({ owner }: Charged) => owner.kind === 'collector';
  const collectorNs = sum(functions.filter(isCollector), ({ ns }) => ns);
  const inProportion = aloneNs / watchedNs;
  const othersNs = aloneNs - collectorNs * byClock;
  const sampledOthersNs = watchedNs - collectorNs;
  const isKnown = othersNs > 0 && sampledOthersNs > 0;
  const ofCollector = isKnown ? byClock : inProportion;
  const ofOthers = isKnown ? othersNs / sampledOthersNs : inProportion;
  return scaled(functions, (each) => (isCollector(each) ? ofCollector : ofOthers));
}

function scaled(functions: readonly Charged[], by: (each: Charged) => number): Charged[] {
  return functions.map((each) => ({ ...each, ns: each.ns * by(each) }));
}

function byOwner(charged: readonly Charged[]): PartTime[] {
  const owners = Map.groupBy(charged, ({ owner }) => partKey(owner));
  return [...owners.values()].flatMap((functions): PartTime[] => {
    const [first] = functions;
    if (first === undefined) return [];
    return [{ part: first.owner, ns: sum(functions, ({ ns }) => ns), functions }];
  });
}
