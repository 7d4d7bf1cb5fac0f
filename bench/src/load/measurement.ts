import { z } from 'zod';
import { throttlingSchema } from '../system/control-groups.ts';
import {
  cpuReadingSchema,
  mainThreadSchema,
  schedulingSchema,
  systemReadingSchema,
} from '../system/usage.ts';

const count = z.int().min(0);
/** Of ns or bytes. */
const amount = z.number().min(0);

const ledgerSchema = z.object({
  sent: count,
  /** Answered with the declared status and body. */
  ok: count,
  /** Answered with another status. */
  wrongStatus: count,
  /** Answered with the declared status and another body. */
  wrongBody: count,
  /** Given up by the generator, because nothing came for the length of the time-out. */
  timedOut: count,
  /** Lost with a connection that the server closed or reset. */
  disconnected: count,
  /** Sent on a connection that is still open, and not answered yet. */
  inFlight: count,
});

/**
 * Where every request went. Each is a count of its own, so that `sent` is the sum of all others only
 * where nothing was missed and nothing invented.
 */
export type LedgerCounts = z.infer<typeof ledgerSchema>;

/** The answers to one request of a mix, by kind. */
const answersSchema = ledgerSchema.pick({ ok: true, wrongStatus: true, wrongBody: true });
export type Answers = z.infer<typeof answersSchema>;

/** Answers of any kind. */
export function answersOf({ ok, wrongStatus, wrongBody }: Answers): number {
  return ok + wrongStatus + wrongBody;
}

const usedSchema = z.object({ server: z.number(), manager: z.number() });
const sampleSchema = z.object({
  /** How long the second took, ns. */
  ns: amount,
  /** CPU time within it, ns. */
  cpuNs: usedSchema,
  /** Memory at its end, bytes. */
  bytes: usedSchema,
  /** The same of the services that the server needs, by their names. */
  services: z.record(z.string(), z.object({ cpuNs: z.number(), bytes: z.number() })).default({}),
});
/** What processes used in one second. */
export type Sample = z.infer<typeof sampleSchema>;

const paceSchema = z.object({
  /** Requests whose planned instant was inside the window, sent or dropped. */
  planned: count,
  /** Never sent, because the most requests allowed were in flight. */
  dropped: count,
  /** Planned for generators on other hosts that were lost: what became of them is unknown. */
  lost: count.default(0),
  /** How late requests were because of the generator itself; null where it can't tell. */
  lateness: z
    .object({
      /** Requests sent or dropped more than a millisecond after their planned instant. */
      late: count,
      /** How long after its planned instant each request left or was dropped, µs, as in the latency histogram. */
      histogram: z.string(),
    })
    .nullable(),
});
/** How an open loop kept its plan; null for a closed one. */
export type Pace = z.infer<typeof paceSchema>;

const blockSchema = z.object({
  /** CPU time of the server's processes in its turn, ns. */
  cpuNs: z.number(),
  /** Requests answered, right or wrong. */
  answers: count,
  /** CPU time of the same processes from its turn to the next, or until they were quiet, whoever had the load, ns. */
  chargedNs: z.number(),
  /** How long that took, ns. */
  ns: z.number(),
});
/** A server in one block of an interleaving: its turn, and what it used until the next one. */
export type Block = z.infer<typeof blockSchema>;

const roundTripSchema = z.object({ leastNs: amount, medianNs: amount, p95Ns: amount });
/** How long the network took there and back just before a slice, ns. */
export type RoundTrip = z.infer<typeof roundTripSchema>;

const cpu = cpuReadingSchema;
/** Memory of a service, and its peak since it started, where the system tells it, bytes. */
export const serviceMemorySchema = z.object({ bytes: amount, peakBytes: amount.nullable() });

export const measurementSchema = z.object({
  /** From the first connection to the window's opening, ns. */
  warmupNs: amount,
  /** Whether the window opened at the cap, before every connection had been answered. */
  warmupCapped: z.boolean(),
  /** When the window opened, on the monotonic clock, ns; null where it was not recorded. */
  openedNs: z.number().nullable().default(null),
  windowNs: z.number().min(1),
  /** Time and answers as declared when half of the window was over; null where they were not recorded. */
  halfway: z.object({ ns: amount, ok: count }).nullable(),
  /** Generator processes that shared the connections. */
  generators: z.int().min(1),
  /** From the end of the load until the server was idle, ns; the cap where it was not. */
  drainNs: amount,
  drainCapped: z.boolean(),
  /** Everything from the first connection to the end of the load. */
  ledger: ledgerSchema,
  /** What happened inside the window, with the bytes read, head and body. */
  window: ledgerSchema.omit({ inFlight: true }).extend({ bytes: amount }),
  /** The window's answers by request, in the order of the target's; empty where it has only one. */
  requests: z.array(answersSchema).default([]),
  /** Of the requests answered as declared inside the window, µs: an HdrHistogram, compressed, base64. */
  latencyHistogram: z.string(),
  /**
   * How long requests without an answer had waited, in histograms of the same kind: those that were lost inside the
   * window, and those in flight when it closed. Null where it was not recorded.
   */
  agesHistograms: z.object({ lost: z.string(), inFlight: z.string() }).nullable(),
  cpu: z.object({ server: cpu, manager: cpu, harness: cpu, generator: cpu }),
  /**
   * Of the services that the server needs, by name: CPU time inside the window; memory and its peak after it, as
   * `memory` and `peak`.
   */
  services: z.record(z.string(), cpu.extend(serviceMemorySchema.shape)).default({}),
  /** CPU time of each of the server's processes inside the window, ns, in the order of the pids. */
  workersCpuNs: z.array(z.number()),
  /** Blocks that do not count, and whether the server had settled by their end; null where that was not checked. */
  leadIn: z.object({
    blocks: count,
    answers: count,
    /** How long the server's own turns took in total. */
    ns: amount,
    hasSettled: z.boolean().nullable(),
  }),
  /** In order; a window that was not interleaved is one block. */
  blocks: z.array(blockSchema).min(1),
  /** Indices of those that do not count, for any server, because the machine was disturbed. */
  disturbed: z.array(count),
  /** CPU time that the server's processes used per second of the same launch without any requests, ns. */
  idleNsPerS: z.number(),
  /** Whether they used no more than that at the end of the last block; null where nobody waited. */
  isQuiet: z.boolean().nullable(),
  /** Of the server's only process inside the window; null where it was not read. */
  mainThread: mainThreadSchema.nullable().default(null),
  /** Of the server's processes inside the window; null where it was not read. */
  scheduling: schedulingSchema.nullable().default(null),
  /** All cores inside the window; null where the system does not tell. */
  system: systemReadingSchema.nullable(),
  /** Of the server's control group inside the window; null for a server without a CPU limit. */
  throttling: throttlingSchema.nullable(),
  /** Read after the window, while the connections were still open, bytes. */
  memory: z.object({ server: amount, manager: amount }),
  /**
   * The most that each process had in memory from its start until then (VmHWM), summed, bytes; null where
   * the system does not tell, or it was not read.
   */
  peak: z.object({ server: amount, manager: amount }).nullable(),
  /**
   * Turns of the event loop of a generator that never sleeps, inside the window; those that brought
   * nothing; and the time in which it had nothing to do.
   */
  turns: z.object({ all: count, empty: count, idleNs: amount }),
  /** Between this machine and the one with the servers; null where they are the same. */
  roundTrip: roundTripSchema.nullable().default(null),
  pace: paceSchema.nullable(),
  /** CPU and memory of the processes, second by second, during an open loop; empty otherwise. */
  series: z.array(sampleSchema),
});

/** What one or several generator processes saw of one slice. */
export type Measurement = z.infer<typeof measurementSchema>;
