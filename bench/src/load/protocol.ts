import { z } from 'zod';
import { expectationSchema, requestSchema } from '../targets/targets.ts';
import { measurementSchema } from './measurement.ts';

/** What the harness tells a generator process to do; one order at a time. */
export const orderSchema = z.object({
  origin: z.string(),
  request: requestSchema,
  expect: expectationSchema,
  /** Requests planned for a second, in an open loop; null in a closed one. */
  ratePerS: z.number().nullable(),
  /** What sends them, in an open loop. */
  driver: z.string(),
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
