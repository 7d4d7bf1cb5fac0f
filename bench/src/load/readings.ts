/** Readings of counters and memory on the machine of the servers: done here, or by the harness there. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { quantileSorted } from 'simple-statistics';
import { z } from 'zod';
import { messageOf } from '../base/errors.ts';
import { addressOf } from '../launch/sockets.ts';
import { minus } from '../math/counters.ts';
import { readThrottling } from '../system/control-groups.ts';
import {
  cpuInAll,
  readCpu,
  readCpuOfTrees,
  readMainThread,
  readMemory,
  readPeak,
  readScheduling,
  readSystem,
} from '../system/usage.ts';
import { now } from './clock.ts';
import { measurementSchema, type RoundTrip } from './measurement.ts';
import { type CounterSources, sourcesSchema } from './protocol.ts';

type Pids = CounterSources['pids'];

const { cpu: cpuSchema } = measurementSchema.shape;
const countersSchema = measurementSchema
  .pick({ workersCpuNs: true, mainThread: true, scheduling: true, system: true, throttling: true })
  .extend({
    cpu: cpuSchema.omit({ generator: true }),
    services: z.record(z.string(), cpuSchema.shape.server),
  });
type ServerCounters = z.infer<typeof countersSchema>;

const memoriesSchema = measurementSchema
  .pick({ memory: true, peak: true })
  .extend({ services: z.record(z.string(), z.number()) });
type Memories = z.infer<typeof memoriesSchema>;

/** The readings of a server's machine. @throws when a process is gone. */
export interface Readings {
  counters(sources: CounterSources): Promise<ServerCounters>;
  /** The same without scheduling, which takes a read for each thread. */
  turnCounters(sources: CounterSources): Promise<ServerCounters>;
  memory(sources: CounterSources): Promise<Memories>;
  /** To a server on another machine; null if it is on this one, or nobody listens. */
  roundTrip(origin: string): Promise<RoundTrip | null>;
}

export const READ_HERE: Readings = {
  counters: (sources) => readCounters(sources, { isTurn: false }),
  turnCounters: (sources) => readCounters(sources, { isTurn: true }),
  memory: ({ pids }) => readMemories(pids),
  roundTrip: async () => null,
};

/** On Linux all counters are read before the first await, and so at the same instant. */
async function readCounters(
  { pids, group, firstThreadOf }: CounterSources,
  { isTurn }: { isTurn: boolean },
): Promise<ServerCounters> {
  // Like the others, it rejects when a process is gone.
  const later = async <T>(read: () => T) => read();
  const reading = Promise.all([
    readCpuOfTrees(pids.server),
    readCpu(pids.manager),
    readCpu(pids.harness),
    readServices(pids.services),
    later(() => (firstThreadOf === null ? null : readMainThread(firstThreadOf))),
    later(() => (isTurn ? null : readScheduling(pids.server))),
  ]);
  const system = readSystem();
  const throttling = group === null ? null : readThrottling(group);
  const [workers, manager, harness, services, mainThread, scheduling] = await reading;
  const cpu = { server: cpuInAll(workers), manager, harness };
  const workersCpuNs = workers.map(({ cpuNs }) => cpuNs);
  return { cpu, workersCpuNs, mainThread, scheduling, system, throttling, services };
}

/** What each service has used so far, on Linux read before the first await. @throws when one is gone. */
export async function readServices(pids: Pids['services']): Promise<ServerCounters['services']> {
  const reading = Object.entries(pids).map(async ([name, own]) => {
    return [name, await readCpu(own)] as const;
  });
  return Object.fromEntries(await Promise.all(reading));
}

/** Memory of these processes, and the server's peak since it started, bytes. @throws when one is gone. */
export async function readMemories(pids: Omit<Pids, 'harness'>): Promise<Memories> {
  const memory = { server: await readMemory(pids.server), manager: await readMemory(pids.manager) };
  const peakBytes = readPeak(pids.server);
  const services: Memories['services'] = {};
  for (const [name, own] of Object.entries(pids.services)) services[name] = await readMemory(own);
  return { memory, peak: peakBytes === null ? null : { server: peakBytes }, services };
}

export const readingRequestSchema = z.object({
  kind: z.literal('read'),
  number: z.int(),
  what: z.enum(['counters', 'turnCounters', 'memory']),
  sources: sourcesSchema,
});
export type ReadingRequest = z.infer<typeof readingRequestSchema>;

const readingAnswerSchema = z.object({
  kind: z.literal('reading'),
  number: z.int(),
  outcome: z.union([z.object({ value: z.unknown() }), z.object({ error: z.string() })]),
});

/** Answers a request from another machine. */
export async function answerReading({ number, what, sources }: ReadingRequest) {
  const read: (sources: CounterSources) => Promise<unknown> = READ_HERE[what];
  const outcome = await read(sources).then(
    (value) => ({ value }),
    (error: unknown) => ({ error: messageOf(error) }),
  );
  return { kind: 'reading' as const, number, outcome };
}

/** Readings that the harness on the machine of the servers does for a generator elsewhere. */
export function remoteReadings(send: (request: ReadingRequest) => void) {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let asked = 0;
  const reading = <T>(what: ReadingRequest['what'], result: z.ZodType<T>) => {
    return async ({ pids, group, firstThreadOf }: CounterSources): Promise<T> => {
      const number = ++asked;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(number, answer);
      send({ kind: 'read', number, what, sources: { pids, group, firstThreadOf } });
      return result.parse(await answer.promise);
    };
  };
  const readings: Readings = {
    counters: reading('counters', countersSchema),
    turnCounters: reading('turnCounters', countersSchema),
    memory: reading('memory', memoriesSchema),
    roundTrip: async (origin) => await measureRoundTrip(origin).catch(() => null),
  };
  /** Takes an answer; returns whether the message is one. */
  const take = (message: unknown): boolean => {
    const answer = readingAnswerSchema.safeParse(message);
    if (!answer.success) return false;
    const { number, outcome } = answer.data;
    const own = waiting.get(number);
    waiting.delete(number);
    if ('error' in outcome) own?.reject(new Error(outcome.error));
    else own?.resolve(outcome.value);
    return true;
  };
  return { readings, take };
}

const HANDSHAKES = 21;

/** Measures TCP handshakes, which the kernels do: the round trip of the network. @throws when nobody listens. */
export async function measureRoundTrip(origin: string): Promise<RoundTrip> {
  const times: number[] = [];
  for (let time = 0; time < HANDSHAKES; time++) {
    const fromNs = now();
    const socket = connect(addressOf(origin));
    try {
      await once(socket, 'connect');
      times.push(now() - fromNs);
    } finally {
      socket.destroy();
    }
  }
  const sorted = times.toSorted((a, b) => a - b);
  const quantile = (part: number) => quantileSorted(sorted, part);
  return { leastNs: quantile(0), medianNs: quantile(0.5), p95Ns: quantile(0.95) };
}

/** What processes and the system had used at an edge of a window. */
export type CounterSnapshot = Awaited<ReturnType<typeof takeSnapshot>>;

/** These counters of a server's machine, with those of this generator and the processes that send for it. */
export async function takeSnapshot(
  atNs: number,
  reading: Promise<ServerCounters>,
  senders: readonly number[] = [],
) {
  const [counters, generator] = await Promise.all([reading, readCpu([process.pid, ...senders])]);
  return { atNs, counters: { ...counters, cpu: { ...counters.cpu, generator } } };
}

type WindowUsage = CounterSnapshot['counters'] & { openedNs: number; windowNs: number };

export function usageBetween(opened: CounterSnapshot, closed: CounterSnapshot): WindowUsage {
  return {
    openedNs: opened.atNs,
    windowNs: closed.atNs - opened.atNs,
    ...minus(closed.counters, opened.counters),
  };
}

export function withMemory(used: WindowUsage, { memory, peak, services }: Memories) {
  const all = Object.entries(services).map(([name, bytes]) => {
    return [name, { cpuNs: 0, waitNs: 0, ...used.services[name], bytes }] as const;
  });
  return { ...used, memory, peak, services: Object.fromEntries(all) };
}
