import { z } from 'zod';
import { DRIVERS } from '../request/drivers.ts';
import { cpuReadingSchema, systemReadingSchema } from '../system/usage.ts';
import { expectationSchema, requestSchema } from '../targets/targets.ts';
import { ledgerSchema } from './ledger.ts';
import { sampleSchema } from './series.ts';

/** What the harness tells a generator process to do; one order at a time. */
export const orderSchema = z.object({
  origin: z.string(),
  request: requestSchema,
  expect: expectationSchema,
  /** Requests planned for a second, in an open loop; null in a closed one. */
  ratePerS: z.number().nullable(),
  /** What sends them, in an open loop. */
  driver: z.enum(DRIVERS),
  /** In an open loop, the most requests under way. */
  connections: z.int(),
  /** In an open loop, the connections that take turns even where fewer would do. */
  leastConnections: z.int(),
  /** Connections opened at once, where the window waits for them. */
  batch: z.int().min(1),
  pipelining: z.int(),
  /** A request without an answer is given up after this, with its connection, ns. */
  timeoutNs: z.number(),
  /** How long the window stays open, ns. */
  windowNs: z.number(),
  /**
   * When the window opens: at the first instant, as autocannon's own command line counts, or once
   * every connection has had a response, after `capNs` at the latest.
   */
  opening: z.discriminatedUnion('when', [
    z.object({ when: z.literal('at once') }),
    z.object({ when: z.literal('all answered'), capNs: z.number() }),
  ]),
  /** Keep the event loop turning, so that no answer has to wake a sleeping core. */
  neverSleep: z.boolean(),
  /** The shortest turn of an event loop that never sleeps, ns: what has come by then is handled together. */
  turnNs: z.number(),
  /** Wait after the load until the server has become idle, at most this long, ns. */
  drainCapNs: z.number(),
  pids: z.object({
    server: z.array(z.int()),
    manager: z.array(z.int()),
    harness: z.array(z.int()),
  }),
});
export type Order = z.infer<typeof orderSchema>;

export const paceSchema = z.object({
  /** Requests whose planned instant was inside the window; sent, or dropped. */
  planned: z.int(),
  /** Never sent, because as many as there may be were under way. */
  dropped: z.int(),
  /** How late requests were by the generator's own fault; null where it can't tell. */
  lateness: z
    .object({
      /** Requests sent later than a millisecond after their planned instant. */
      late: z.int(),
      /** How long after its planned instant each request left, µs: as the latency's histogram. */
      histogram: z.string(),
    })
    .nullable(),
});
/** How an open loop kept its plan; null for a closed one. */
export type Pace = z.infer<typeof paceSchema>;

export const measurementSchema = z.object({
  /** From the first connection to the window's opening, ns. */
  warmupNs: z.number(),
  /** The window opened at the cap, before every connection had been answered. */
  warmupCapped: z.boolean(),
  windowNs: z.number(),
  /** How far the window was when half of it was over; null where nobody looked. */
  halfway: z.object({ ns: z.number(), ok: z.int() }).nullable(),
  /** Generator processes that the connections were dealt to. */
  generators: z.int().min(1),
  /** From the end of the load until the server was idle, ns; the cap when it was not. */
  drainNs: z.number(),
  drainCapped: z.boolean(),
  /** Everything from the first connection to the end of the load. */
  ledger: ledgerSchema,
  /** What happened inside the window. */
  window: ledgerSchema.omit({ inFlight: true }).extend({
    /** Bytes read, head and body. */
    bytes: z.number(),
  }),
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
  /** CPU time of each of the server's processes inside the window, ns, in the order of the pids. */
  workersCpuNs: z.array(z.number()),
  /** All cores inside the window, or null where the system does not tell. */
  system: systemReadingSchema.nullable(),
  /** Read after the window, while the connections were still open, bytes. */
  memory: z.object({ server: z.number(), manager: z.number() }),
  /**
   * Turns of the event loop of a generator that never sleeps, inside the window, those that brought
   * nothing, and the time in which it had nothing to do.
   */
  turns: z.object({ all: z.int(), empty: z.int(), idleNs: z.number() }),
  pace: paceSchema.nullable(),
  /** CPU and memory of the processes, second by second, while an open loop was on; empty otherwise. */
  series: z.array(sampleSchema),
});

/** What one or several generator processes saw of one slice. */
export type Measurement = z.infer<typeof measurementSchema>;

/** Replies after which an order is over without a measurement. */
const endings = [
  /** The server refused connections: nobody listens there any more. */
  z.object({ kind: z.literal('refused') }),
  /** The harness asked to stop before the window had closed. */
  z.object({ kind: z.literal('stopped') }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
] as const;

/** The reply to `prepare`. */
export const preparedSchema = z.discriminatedUnion('kind', [
  /** The window can open: every connection has been answered, or the cap has come. */
  z.object({ kind: z.literal('ready') }),
  ...endings,
]);
export type Prepared = z.infer<typeof preparedSchema>;

/** The reply to `open`. */
export const outcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('measured'), measurement: measurementSchema }),
  ...endings,
]);
export type Outcome = z.infer<typeof outcomeSchema>;

/** `prepare` and `open` have one reply each; `open` is said to every generator that is ready. */
export const commandSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('prepare'), order: orderSchema }),
  /** The window opens at this instant of the monotonic clock, ns. */
  z.object({ kind: z.literal('open'), atNs: z.number() }),
  /** What is under way ends early, and says `stopped`. */
  z.object({ kind: z.literal('stop') }),
]);
export type Command = z.infer<typeof commandSchema>;
