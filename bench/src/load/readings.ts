/** What the machine of the servers tells about them: read here, or asked of the harness that is there. */
import { z } from 'zod';
import { messageOf } from '../base/errors.ts';
import { minus, plus } from '../math/counters.ts';
import { readThrottling } from '../system/control-groups.ts';
import {
  cpuInAll,
  cpuReadingSchema,
  readCpu,
  readCpuOfTrees,
  readMainThread,
  readMemory,
  readPeak,
  readScheduling,
  readSystem,
} from '../system/usage.ts';
import {
  type Measurement,
  measurementSchema,
  type RoundTrip,
  serviceMemorySchema,
} from './measurement.ts';
import { type CounterSources, sourcesSchema } from './protocol.ts';
import { measureRoundTrip } from './round-trip.ts';

type Pids = CounterSources['pids'];

const { cpu } = measurementSchema.shape;
const countersSchema = measurementSchema
  .pick({ workersCpuNs: true, mainThread: true, scheduling: true, system: true, throttling: true })
  .extend({
    cpu: cpu.omit({ generator: true }),
    services: z.record(z.string(), cpuReadingSchema),
  });
type ServerCounters = z.infer<typeof countersSchema>;

/** What each reading of the counter sources comes to. */
const RESULTS = {
  /** What has been used by now. */
  counters: countersSchema,
  /** The same without what the scheduler did, which takes a read for each thread. */
  turnCounters: countersSchema,
  /** Memory and its peak, bytes. */
  memory: measurementSchema
    .pick({ memory: true, peak: true })
    .extend({ services: z.record(z.string(), serviceMemorySchema) }),
};
type ReadingName = keyof typeof RESULTS;
type Reading<Name extends ReadingName> = z.infer<(typeof RESULTS)[Name]>;

/** Reads the counters of a server's machine. @throws when a process is gone. */
export type Readings = {
  [Name in ReadingName]: (sources: CounterSources) => Promise<Reading<Name>>;
} & {
  /** To a server on another machine; null where it is on this one, or nobody listens. */
  roundTrip: (origin: string) => Promise<RoundTrip | null>;
};

/** This machine's. */
export const READ_HERE: Readings = {
  counters: (sources) => readCounters(sources, { isTurn: false }),
  turnCounters: (sources) => readCounters(sources, { isTurn: true }),
  memory: ({ pids }) => readMemories(pids),
  roundTrip: async () => null,
};

/** On Linux the counters are read before the first await, so that they belong to the same instant. */
async function readCounters(
  { pids, group, firstThreadOf }: CounterSources,
  { isTurn }: { isTurn: boolean },
): Promise<ServerCounters> {
  // As with the others, a process that is gone is to reject the promise.
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
  return {
    cpu: { server: cpuInAll(workers), manager, harness },
    workersCpuNs: workers.map(({ cpuNs }) => cpuNs),
    mainThread,
    scheduling,
    system,
    throttling,
    services,
  };
}

/** What each service has used so far; on Linux read before the first await. @throws when one is gone. */
export async function readServices(pids: Pids['services']): Promise<ServerCounters['services']> {
  const reading = Object.entries(pids).map(async ([name, own]) => {
    return [name, await readCpu(own)] as const;
  });
  return Object.fromEntries(await Promise.all(reading));
}

/** Memory of these processes, and its peak since they started, bytes. @throws when one is gone. */
export async function readMemories(pids: Omit<Pids, 'harness'>): Promise<Reading<'memory'>> {
  const memory = {
    server: await readMemory(pids.server),
    manager: await readMemory(pids.manager),
  };
  const [server, manager] = [readPeak(pids.server), readPeak(pids.manager)];
  const services: Reading<'memory'>['services'] = {};
  for (const [name, own] of Object.entries(pids.services)) {
    services[name] = { bytes: await readMemory(own), peakBytes: readPeak(own) };
  }
  return {
    memory,
    peak: server === null || manager === null ? null : { server, manager },
    services,
  };
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
export type ReadingAnswer = z.infer<typeof readingAnswerSchema>;

/** Does a reading that was asked for elsewhere. */
export async function answerReading({
  number,
  what,
  sources,
}: ReadingRequest): Promise<ReadingAnswer> {
  const read: (sources: CounterSources) => Promise<unknown> = READ_HERE[what];
  const outcome = await read(sources).then(
    (value) => ({ value }),
    (error: unknown) => ({ error: messageOf(error) }),
  );
  return { kind: 'reading', number, outcome };
}

/** Readings that a generator asks of the harness on the machine of the servers. */
export function remoteReadings(send: (request: ReadingRequest) => void) {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let asked = 0;
  const reading = <T>(what: ReadingName, result: z.ZodType<T>) => {
    return async ({ pids, group, firstThreadOf }: CounterSources): Promise<T> => {
      const number = ++asked;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(number, answer);
      send({ kind: 'read', number, what, sources: { pids, group, firstThreadOf } });
      return result.parse(await answer.promise);
    };
  };
  const readings: Readings = {
    counters: reading('counters', RESULTS.counters),
    turnCounters: reading('turnCounters', RESULTS.turnCounters),
    memory: reading('memory', RESULTS.memory),
    roundTrip: async (origin) => await measureRoundTrip(origin).catch(() => null),
  };
  /** Takes an answer; returns whether the message was one. */
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

/** What processes and the system have used by one edge of a window. */
export interface CounterSnapshot {
  atNs: number;
  counters: ServerCounters & Pick<Measurement, 'cpu'>;
}

/** The counters of a server's machine, which are being read, with those of this generator and what else sends for it. */
export async function takeSnapshot(
  atNs: number,
  reading: Promise<ServerCounters>,
  senders: readonly number[] = [],
): Promise<CounterSnapshot> {
  const [counters, generator] = await Promise.all([reading, readCpu([process.pid, ...senders])]);
  return { atNs, counters: { ...counters, cpu: { ...counters.cpu, generator } } };
}

/** What was used in a window. */
export type Used = CounterSnapshot['counters'] & { openedNs: number; windowNs: number };

/** What was used from one edge of a window to the other. */
export function usedBetween(opened: CounterSnapshot, closed: CounterSnapshot): Used {
  return {
    openedNs: opened.atNs,
    windowNs: closed.atNs - opened.atNs,
    ...minus(closed.counters, opened.counters),
  };
}

/** What was used in two windows together. */
export function addUsed(a: Used, b: Used): Used {
  return { ...plus(a, b), openedNs: a.openedNs };
}

/** What was used in a window, with the memory after it. */
export function withMemory(used: Used, { memory, peak, services }: Reading<'memory'>) {
  const all = Object.entries(services).map(([name, own]) => {
    return [name, { cpuNs: 0, waitNs: 0, ...used.services[name], ...own }] as const;
  });
  return { ...used, memory, peak, services: Object.fromEntries(all) };
}
