import { z } from 'zod';
import { agreedSchema } from '../targets/exchange.ts';
import { measurementSchema } from './measurement.ts';

/** Whose CPU time and memory are read. */
export const pidsSchema = z.object({
  server: z.array(z.int()),
  manager: z.array(z.int()),
  harness: z.array(z.int()),
  /** By their names. */
  services: z.record(z.string(), z.array(z.int())),
});
/** What is read of the machine that a server runs on. */
export const readSchema = z.object({
  /** The folder of the control group that limits the server, whose throttling is read; null without one. */
  group: z.string().nullable(),
  /** The process whose first thread is read by itself; null where nobody asks for it. */
  firstThreadOf: z.int().nullable(),
  pids: pidsSchema,
});
export type Read = z.infer<typeof readSchema>;

/** What every load is told, whatever puts it on. */
const shared = {
  origin: z.string(),
  /** What is sent, each as often as its weight says, and what every answer is compared with. */
  requests: z.array(agreedSchema).min(1),
  /** A request without an answer is given up after this, with its connection, ns. */
  timeoutNs: z.number(),
  /** Wait after the load until the server has become idle, at most this long, ns. */
  drainCapNs: z.number(),
  /** What the server's processes use in a second in which nobody asks for anything, ns. */
  idleNsPerS: z.number(),
  ...readSchema.shape,
};

/** How long the window of a slice stays open. */
const windowSchema = z.object({ ns: z.number() });

/**
 * The window of a batch stays open for so many ns at the most, and no longer than until so many answers
 * have come in it, as declared or not; null where only time ends it.
 */
const batchWindowSchema = windowSchema.extend({ answers: z.int().min(0).nullable() });
export type BatchWindow = z.infer<typeof batchWindowSchema>;

/** So many requests are always under way: an answer makes room for the next. */
const closedOrderSchema = z.object({
  kind: z.literal('closed'),
  ...shared,
  connections: z.int(),
  pipelining: z.int(),
  /**
   * When the window opens: at the first instant, as autocannon's own command line counts, or once
   * every connection has had a response, after `capNs` at the latest, and the load has been on for
   * `settleNs` from then; so many of them are opened at once.
   */
  opening: z.discriminatedUnion('when', [
    z.object({ when: z.literal('at once') }),
    z.object({
      when: z.literal('all answered'),
      capNs: z.number(),
      settleNs: z.number(),
      batch: z.int().min(1),
    }),
  ]),
  window: windowSchema,
  /** An interleaving waits until the server is as quiet as when it is idle, at most this long, ns; 0 not at all. */
  quietCapNs: z.number(),
  /**
   * Keeps the event loop turning, so that no answer has to wake a sleeping core, and no turn shorter
   * than this, ns: what has come by then is handled together. Null lets it sleep when it is idle.
   */
  turnNs: z.number().nullable(),
  /**
   * A turn holds whole rounds of the requests, each as often as its weight says: one that
   * holds few requests would else depend on which they are. Its connections then take turns in one round.
   */
  wholeRounds: z.boolean(),
});

export const orderSchema = z.discriminatedUnion('kind', [
  closedOrderSchema,
  /** Requests leave when they are planned to, whatever the server does. */
  z.object({
    kind: z.literal('open'),
    ...shared,
    /** What sends them. */
    driver: z.string(),
    /** Requests planned for a second. */
    ratePerS: z.number(),
    /** The most requests under way. */
    connections: z.int(),
    /** The connections that take turns even where fewer would do. */
    leastConnections: z.int(),
    window: windowSchema,
    /** Keep the event loop turning, so that no instant has to wake a sleeping core. */
    neverSleep: z.boolean(),
  }),
]);
/** What the harness tells a generator process to do; one order at a time. */
export type Order = z.infer<typeof orderSchema>;
export type ClosedOrder = Extract<Order, { kind: 'closed' }>;
export type OpenOrder = Extract<Order, { kind: 'open' }>;

/** A closed loop without an end of its own. */
const lastingOrderSchema = closedOrderSchema.omit({ window: true });
export type LastingOrder = z.infer<typeof lastingOrderSchema>;

/** The places of the orders of an interleaving, in their turn. */
const blockOrderSchema = z.array(z.int());
const interleavingSchema = z.object({
  orders: z.array(closedOrderSchema),
  /** Each order has an equal part of its window in every block. */
  blocks: z.array(blockOrderSchema),
  /**
   * Blocks before them that are not counted: all of these at most, until each server has answered so many requests,
   * and has become no cheaper over so many blocks.
   */
  leadIn: z.object({
    blocks: z.array(blockOrderSchema),
    answers: z.int().min(0),
    span: z.int().min(1),
  }),
});
/** Orders that one generator carries out together, in blocks: in each of them every order has its turn. */
export type Interleaving = z.infer<typeof interleavingSchema>;

/** Whether nothing is sent before the window, which so has every request from the first on. */
export function opensAtOnce(order: Order | LastingOrder): boolean {
  return order.kind === 'closed' && order.opening.when === 'at once';
}

/** The reply to a command that the generator process could not act on. */
export const failedSchema = z.object({ kind: z.literal('failed'), message: z.string() });

/** Replies after which an order is over without a measurement. */
const endings = [
  /** The server refused connections: nobody listens there any more. */
  z.object({ kind: z.literal('refused') }),
  /** The harness asked to stop before the window had closed. */
  z.object({ kind: z.literal('stopped') }),
  failedSchema,
] as const;

/** A reply after which an order is over without a measurement. */
export type Ending = z.infer<(typeof endings)[number]>;

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

/** The reply to `interleave`: what became of each of its orders. */
export const interleavedSchema = z.array(
  z.discriminatedUnion('kind', [
    ...outcomeSchema.options,
    /** The server did not answer everything when its load rested, so that nobody else can have a turn. */
    z.object({ kind: z.literal('did not drain') }),
  ]),
);
export type InterleavedOutcome = z.infer<typeof interleavedSchema>[number];

/** What a server did in one window of a load that goes on. */
export const batchSchema = z.object({
  /** Answered in the window, as declared or not. */
  answers: z.int().min(0),
  ns: z.number().min(0),
  /** CPU time of the server in the window. */
  cpuNs: z.number(),
  /** Memory of the server after it. */
  bytes: z.number().min(0),
});
export type Batch = z.infer<typeof batchSchema>;

/** The reply to `batch`. */
export const batchOutcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('batch'), batch: batchSchema }),
  ...endings,
]);
export type BatchOutcome = z.infer<typeof batchOutcomeSchema>;

/**
 * Each has one reply, but for `begin` and `stop`; `open` is said to every generator that is ready, and
 * `end` to every one that was told to `begin`.
 */
export const commandSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('prepare'), order: orderSchema }),
  /** The window opens at this instant of the monotonic clock, ns. */
  z.object({ kind: z.literal('open'), atNs: z.number() }),
  z.object({ kind: z.literal('interleave'), interleaving: interleavingSchema }),
  /** From its first `batch` on the load goes on until its `end`. */
  z.object({ kind: z.literal('begin'), order: lastingOrderSchema }),
  z.object({ kind: z.literal('batch'), window: batchWindowSchema }),
  z.object({ kind: z.literal('end') }),
  /** What is under way ends early, and says `stopped`. */
  z.object({ kind: z.literal('stop') }),
]);
export type Command = z.infer<typeof commandSchema>;
