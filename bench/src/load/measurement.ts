import { z } from 'zod';
import { mainThreadSchema } from '../system/main-thread.ts';
import { schedulingSchema } from '../system/scheduling.ts';
import { throttlingSchema } from '../system/throttling.ts';
import { cpuReadingSchema, systemReadingSchema } from '../system/usage.ts';

const count = z.int().min(0);

export const ledgerSchema = z.object({
  sent: count,
  /** Answered with the declared status and body. */
  ok: count,
  /** Answered with another status. */
  wrongStatus: count,
  /** Answered with the declared status and another body. */
  wrongBody: count,
  /** Dropped by the generator, because nothing came for the length of the time-out. */
  timedOut: count,
  /** Lost with a connection that the server closed or reset. */
  disconnected: count,
  /** Sent on a connection that is still there, and not answered yet. */
  inFlight: count,
});

/**
 * Where every request went. Each is a count of its own, so that `sent` is the sum of all others only
 * where nothing was missed and nothing invented.
 */
export type LedgerCounts = z.infer<typeof ledgerSchema>;

/** How the answers to one request of a mix came out. */
export const answersSchema = ledgerSchema.pick({ ok: true, wrongStatus: true, wrongBody: true });
export type Answers = z.infer<typeof answersSchema>;

/** Answers of whatever kind. */
export function answersOf({ ok, wrongStatus, wrongBody }: Answers): number {
  return ok + wrongStatus + wrongBody;
}

const usedSchema = z.object({ server: z.number(), manager: z.number() });
export const sampleSchema = z.object({
  /** How long the second was, ns. */
  ns: z.number().min(0),
  /** CPU time within it, ns. */
  cpuNs: usedSchema,
  /** Memory at its end, bytes. */
  bytes: usedSchema,
  /** The same of the services that the server needs, by their names. */
  services: z.record(z.string(), z.object({ cpuNs: z.number(), bytes: z.number() })).default({}),
});
/** What processes used in one second. */
export type Sample = z.infer<typeof sampleSchema>;

export const paceSchema = z.object({
  /** Requests whose planned instant was inside the window; sent, or dropped. */
  planned: z.int().min(0),
  /** Never sent, because as many as there may be were under way. */
  dropped: z.int().min(0),
  /** Planned for generators of other hosts that were lost: nobody knows what became of them. */
  lost: z.int().min(0).default(0),
  /** How late requests were by the generator's own fault; null where it can't tell. */
  lateness: z
    .object({
      /** Requests sent or dropped later than a millisecond after their planned instant. */
      late: z.int().min(0),
      /** How long after its planned instant each request left or was dropped, µs: as the latency's histogram. */
      histogram: z.string(),
    })
    .nullable(),
});
/** How an open loop kept its plan; null for a closed one. */
export type Pace = z.infer<typeof paceSchema>;

export const blockSchema = z.object({
  /** CPU time of the server's processes in its turn, ns. */
  cpuNs: z.number(),
  /** Requests answered, as declared or not. */
  answers: z.int().min(0),
  /** CPU time of the same processes until the next turn, or until they were quiet, whoever had the load, ns. */
  chargedNs: z.number(),
  /** How long that was, ns. */
  ns: z.number(),
});
/** A server in one block of an interleaving: its turn, and what it did until the next one. */
export type Block = z.infer<typeof blockSchema>;

const roundTripSchema = z.object({
  leastNs: z.number().min(0),
  medianNs: z.number().min(0),
  p95Ns: z.number().min(0),
});
/** How long the network took there and back, just before a slice. */
export type RoundTrip = z.infer<typeof roundTripSchema>;

export const measurementSchema = z.object({
  /** From the first connection to the window's opening, ns. */
  warmupNs: z.number().min(0),
  /** The window opened at the cap, before every connection had been answered. */
  warmupCapped: z.boolean(),
  /** When the window opened, on the monotonic clock, ns; null where nobody looked. */
  openedNs: z.number().nullable().default(null),
  windowNs: z.number().min(1),
  /** How far the window was when half of it was over; null where nobody looked. */
  halfway: z.object({ ns: z.number().min(0), ok: z.int().min(0) }).nullable(),
  /** Generator processes that the connections were dealt to. */
  generators: z.int().min(1),
  /** From the end of the load until the server was idle, ns; the cap when it was not. */
  drainNs: z.number().min(0),
  drainCapped: z.boolean(),
  /** Everything from the first connection to the end of the load. */
  ledger: ledgerSchema,
  /** What happened inside the window. */
  window: ledgerSchema.omit({ inFlight: true }).extend({
    /** Bytes read, head and body. */
    bytes: z.number().min(0),
  }),
  /** The window's answers by request, in the order of the target's; empty where it has but one. */
  requests: z.array(answersSchema).default([]),
  /** Of the requests answered as declared inside the window, in µs: an HdrHistogram, compressed, base64. */
  latencyHistogram: z.string(),
  /**
   * How long requests without an answer had waited, in histograms of the same kind: those lost inside
   * the window when they were, those in flight when it closed. Null where nobody looked.
   */
  agesHistograms: z.object({ lost: z.string(), inFlight: z.string() }).nullable(),
  cpu: z.object({
    server: cpuReadingSchema,
    manager: cpuReadingSchema,
    harness: cpuReadingSchema,
    generator: cpuReadingSchema,
  }),
  /**
   * Of the services that the server needs, by their names: CPU time inside the window; memory and its peak
   * after it, as `memory` and `peak`.
   */
  services: z
    .record(
      z.string(),
      cpuReadingSchema.extend({
        bytes: z.number().min(0),
        peakBytes: z.number().min(0).nullable(),
      }),
    )
    .default({}),
  /** CPU time of each of the server's processes inside the window, ns, in the order of the pids. */
  workersCpuNs: z.array(z.number()),
  /** Blocks that were not counted, and whether the server had settled by their end; null where nobody looked. */
  leadIn: z.object({
    blocks: z.int().min(0),
    answers: z.int().min(0),
    /** How long its own turns took together. */
    ns: z.number().min(0),
    hasSettled: z.boolean().nullable(),
  }),
  /** In their order; a window that was not interleaved is one. */
  blocks: z.array(blockSchema).min(1),
  /** Places of those that don't count, for any server: the machine was disturbed. */
  disturbed: z.array(z.int().min(0)),
  /** What the server's processes used in a second of the same launch in which nobody asked for anything, ns. */
  idleNsPerS: z.number(),
  /** Whether the processes used no more than that at the end of the last block; null where nobody waited. */
  isQuiet: z.boolean().nullable(),
  /** Of the server's one process inside the window; null where nobody looked. */
  mainThread: mainThreadSchema.nullable().default(null),
  /** Of the server's processes inside the window; null where nobody looked. */
  scheduling: schedulingSchema.nullable().default(null),
  /** All cores inside the window, or null where the system does not tell. */
  system: systemReadingSchema.nullable(),
  /** Of the server's control group inside the window; null for a server without a CPU limit. */
  throttling: throttlingSchema.nullable(),
  /** Read after the window, while the connections were still open, bytes. */
  memory: z.object({ server: z.number().min(0), manager: z.number().min(0) }),
  /**
   * The most that each process had in memory from its start until then (VmHWM), summed, bytes; null where
   * the system does not tell, or nobody looked.
   */
  peak: z.object({ server: z.number().min(0), manager: z.number().min(0) }).nullable(),
  /**
   * Turns of the event loop of a generator that never sleeps, inside the window, those that brought
   * nothing, and the time in which it had nothing to do.
   */
  turns: z.object({
    all: z.int().min(0),
    empty: z.int().min(0),
    idleNs: z.number().min(0),
  }),
  /** Between this machine and another one that has the servers; null where they are on one. */
  roundTrip: roundTripSchema.nullable().default(null),
  pace: paceSchema.nullable(),
  /** CPU and memory of the processes, second by second, while an open loop was on; empty otherwise. */
  series: z.array(sampleSchema),
});

/** What one or several generator processes saw of one slice. */
export type Measurement = z.infer<typeof measurementSchema>;
