import { z } from 'zod';
import { throttlingSchema } from '../system/control-groups.ts';
import { cpuSchema, mainThreadSchema, schedulingSchema, systemSchema } from '../system/usage.ts';

const count = z.int().min(0);
/** In ns or bytes. */
const amount = z.number().min(0);

const ledgerSchema = z.object({
  sent: count,
  /** Answered with the declared status and body. */
  ok: count,
  wrongStatus: count,
  /** Answered with the declared status and another body. */
  wrongBody: count,
  timedOut: count,
  /** Lost with a connection that the server closed or reset. */
  disconnected: count,
  /** Not answered at the end, on a connection that was still open. */
  inFlight: count,
});

/** What became of all requests. `sent` is counted separately: it is the sum of the others only if none is missed. */
export type LedgerCounts = z.infer<typeof ledgerSchema>;

/** The answers to one request of a mix, by kind. */
const answersSchema = ledgerSchema.pick({ ok: true, wrongStatus: true, wrongBody: true });
export type Answers = z.infer<typeof answersSchema>;

export function answersOf({ ok, wrongStatus, wrongBody }: Answers): number {
  return ok + wrongStatus + wrongBody;
}

const usedSchema = z.object({ server: z.number(), manager: z.number() });
const sampleSchema = z.object({
  /** How long the second took, ns. */
  ns: amount,
  cpuNs: usedSchema,
  /** Memory at its end. */
  bytes: usedSchema,
  /** The same of the server's services, by name. */
  services: z.record(z.string(), z.object({ cpuNs: z.number(), bytes: z.number() })),
});
/** What processes used in one second. */
export type Sample = z.infer<typeof sampleSchema>;

const paceSchema = z.object({
  /** Requests with a planned instant inside the window, sent or dropped. */
  planned: count,
  /** Never sent, because too many requests were in flight. */
  dropped: count,
  /** Planned for generators on other hosts that were lost. */
  lost: count.default(0),
  /** How late the generator itself was; null if it can't tell. */
  lateness: z
    .object({
      /** Requests sent or dropped more than 1 ms after their planned instant. */
      late: count,
      /** How long after its planned instant each request left or was dropped, µs, as the latency histogram. */
      histogram: z.string(),
    })
    .nullable(),
});

const blockSchema = z.object({
  /** CPU time of the server's processes in its turn. */
  cpuNs: z.number(),
  /** Right or wrong. */
  answers: count,
  /** Their CPU time from its turn to the next, or until they were quiet, whoever had the load. */
  chargedNs: z.number(),
  /** How long that took. */
  ns: z.number(),
});
/** A server's turn in a block of an interleaving, and what it used until the next one. */
export type Block = z.infer<typeof blockSchema>;

const roundTripSchema = z.object({ leastNs: amount, medianNs: amount, p95Ns: amount });
/** The round-trip time of the network just before a slice. */
export type RoundTrip = z.infer<typeof roundTripSchema>;

const cpu = cpuSchema;

export const measurementSchema = z.object({
  /** Whether the window opened at the cap, before all connections had been answered. */
  warmupCapped: z.boolean(),
  /** When the window opened, on the monotonic clock. */
  openedNs: z.number(),
  windowNs: z.number().min(1),
  /** Time and answers as declared by the middle of the window; null if they were not recorded. */
  halfway: z.object({ ns: amount, ok: count }).nullable(),
  /** Generator processes that shared the connections. */
  generators: z.int().min(1),
  /** From the first connection to the end of the load. */
  ledger: ledgerSchema,
  /** Inside the window, with the bytes read, head and body. */
  window: ledgerSchema.omit({ inFlight: true }).extend({ bytes: amount }),
  /** The window's answers by request, in the target's order; empty for a single request. */
  requests: z.array(answersSchema),
  /** Of the requests answered as declared inside the window, µs: an HdrHistogram, compressed, base64. */
  latencyHistogram: z.string(),
  /** The ages of the requests lost inside the window and in flight at its end, likewise; null if not recorded. */
  agesHistograms: z.object({ lost: z.string(), inFlight: z.string() }).nullable(),
  /** Inside the window, as all that follows unless it says otherwise. */
  cpu: z.object({ server: cpu, manager: cpu, harness: cpu, generator: cpu }),
  /** Of the server's services, by name, with their memory as in `memory`. */
  services: z.record(z.string(), cpu.extend({ bytes: amount })),
  /** CPU time of each of the server's processes, in the order of the pids. */
  workersCpuNs: z.array(z.number()),
  /** The blocks before those that count, and whether the server then had settled; null if that was not checked. */
  leadIn: z.object({
    blocks: count,
    answers: count,
    /** The length of the server's own turns in total. */
    ns: amount,
    hasSettled: z.boolean().nullable(),
  }),
  /** A window that was not interleaved is one block. */
  blocks: z.array(blockSchema).min(1),
  /** CPU time of the server's processes per second without any requests, in the same launch. */
  idleNsPerS: z.number(),
  /** Whether they used no more than that after the last block; null if nobody waited for it. */
  isQuiet: z.boolean().nullable(),
  /** Of the server's only process; null if it was not read. */
  mainThread: mainThreadSchema.nullable().default(null),
  /** Of the server's processes; null if it was not read. */
  scheduling: schedulingSchema.nullable().default(null),
  /** Of all cores; null where the system does not say. */
  system: systemSchema.nullable(),
  /** Of the server's control group; null for a server without a CPU limit. */
  throttling: throttlingSchema.nullable(),
  /** After the window, while the connections were still open, bytes. */
  memory: z.object({ server: amount, manager: amount }),
  /** The peak memory of each of the server's processes until then (VmHWM), summed, bytes; null if it was not read. */
  peak: z.object({ server: amount }).nullable(),
  /** Turns of the event loop of a generator that never sleeps, those without an answer, and its idle time. */
  turns: z.object({ all: count, empty: count, idleNs: amount }),
  /** To the machine with the servers; null if it is this one. */
  roundTrip: roundTripSchema.nullable().default(null),
  /** How an open loop kept its plan; null for a closed one. */
  pace: paceSchema.nullable(),
  /** CPU and memory second by second during an open loop; empty otherwise. */
  series: z.array(sampleSchema),
});

/** What one or several generator processes measured in one slice; times are in ns. */
export type Measurement = z.infer<typeof measurementSchema>;
