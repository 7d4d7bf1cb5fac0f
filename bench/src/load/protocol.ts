/** What the harness and its generator processes send each other. */
import { z } from 'zod';
import { DRIVER_NAMES } from '../request/option-values.ts';
import { agreedSchema } from '../targets/exchange.ts';
import { measurementSchema } from './measurement.ts';

/** Set for a generator process that asks for its readings, since the servers are on another machine. */
export const READS_REMOTELY = 'OVERHEAD_READS_REMOTELY';

const ns = z.number();
const pids = z.array(z.int());
const pidsByName = z.record(z.string(), pids);
export const sourcesSchema = z.object({
  /** The folder of the control group that limits the server; null without one. */
  group: z.string().nullable(),
  /** The process whose main thread is read separately, if any. */
  firstThreadOf: z.int().nullable(),
  /** The processes whose CPU time and memory are read; of services by name. */
  pids: z.object({ server: pids, manager: pids, harness: pids, services: pidsByName }),
});
/** What is read on the machine of the server. */
export type CounterSources = z.infer<typeof sourcesSchema>;

const shared = {
  origin: z.string(),
  /** What is sent, as often as the weights say, and the expected answers. */
  requests: z.array(agreedSchema).min(1),
  /** A request without an answer is given up after this, with its connection. */
  timeoutNs: z.number(),
  /** The longest to wait for an idle server after the load. */
  drainCapNs: z.number(),
  /** CPU time of the server's processes per second without any requests. */
  idleNsPerS: z.number(),
  /**
   * Keeps the generator's event loop turning, so that no answer or planned instant has to wake a sleeping core; null
   * lets it sleep. In a closed loop a turn takes at least this long, and handles all answers that arrive in it.
   */
  turnNs: z.number().nullable(),
  ...sourcesSchema.shape,
};

const windowSchema = z.object({ ns: z.number() });

/** The window of a batch also closes after this many answers, right or wrong; null for no limit. */
const batchWindowSchema = windowSchema.extend({ answers: z.int().min(0).nullable() });
export type BatchWindow = z.infer<typeof batchWindowSchema>;

/** A closed loop: a fixed number of requests is in flight, and each answer makes room for the next. */
const closedOrderSchema = z.object({
  kind: z.literal('closed'),
  ...shared,
  connections: z.int(),
  pipelining: z.int(),
  /**
   * When the window opens: at once, as in autocannon's command line; or `settleNs` after all connections have been
   * answered, or `capNs` has passed. `batch` connections are opened at a time.
   */
  opening: z.discriminatedUnion('when', [
    z.object({ when: z.literal('at once') }),
    z.object({ when: z.literal('all answered'), capNs: ns, settleNs: ns, batch: z.int().min(1) }),
  ]),
  window: windowSchema,
  /** The longest that an interleaving waits for a quiet server; 0: not at all. */
  quietCapNs: z.number(),
  /** Whether each turn of an interleaving sends whole rounds of the mix, so that its cost does not depend on which. */
  wholeRounds: z.boolean(),
});

/** An open loop: requests leave at their planned instants, whatever the server does. */
const openOrderSchema = z.object({
  kind: z.literal('open'),
  ...shared,
  driver: z.enum(DRIVER_NAMES),
  ratePerS: z.number(),
  /** The most requests in flight. */
  connections: z.int(),
  /** At least this many connections take turns, even if fewer would do. */
  leastConnections: z.int(),
  window: windowSchema,
});

const orderSchema = z.discriminatedUnion('kind', [closedOrderSchema, openOrderSchema]);
/** A load for a server; times are in ns. */
export type Order = z.infer<typeof orderSchema>;
export type ClosedOrder = z.infer<typeof closedOrderSchema>;
export type OpenOrder = z.infer<typeof openOrderSchema>;

/** A closed loop that goes on until it is ended. */
const endlessOrderSchema = closedOrderSchema.omit({ window: true });
export type EndlessOrder = z.infer<typeof endlessOrderSchema>;

/** For each block, the indices of the orders in the sequence of their turns. */
const blocksSchema = z.array(z.array(z.int()));
const interleavingSchema = z.object({
  orders: z.array(closedOrderSchema),
  /** Each has an equal part of every order's window. */
  blocks: blocksSchema,
  /** Blocks before them; they end once each server has `answers`, and its cost has not fallen for `span` blocks. */
  leadIn: z.object({ blocks: blocksSchema, answers: z.int().min(0), span: z.int().min(1) }),
});
/** Orders that one generator interleaves: each of them has a turn in every block. */
export type Interleaving = z.infer<typeof interleavingSchema>;

/** Whether the first request is sent when the window opens. */
export function opensAtOnce(order: Order | EndlessOrder): boolean {
  return order.kind === 'closed' && order.opening.when === 'at once';
}

/** Each but `stop` has one reply. `open` follows every `prepare` that is ready, and `end` every `begin`. */
export const commandSchema = z.discriminatedUnion('kind', [
  /** Load the server until the window can open. */
  z.object({ kind: z.literal('prepare'), order: orderSchema }),
  /** Open the window at this instant of the monotonic clock, and measure it. */
  z.object({ kind: z.literal('open'), atNs: z.number() }),
  z.object({ kind: z.literal('interleave'), interleaving: interleavingSchema }),
  /** Load the server from the first `batch` until `end`. */
  z.object({ kind: z.literal('begin'), order: endlessOrderSchema }),
  /** Measure the next window of that load. */
  z.object({ kind: z.literal('batch'), window: batchWindowSchema }),
  /** End the load, and wait until the server is idle. */
  z.object({ kind: z.literal('end') }),
  /** End the current order early: its reply is `stopped`. */
  z.object({ kind: z.literal('stop') }),
]);
export type Command = Exclude<z.infer<typeof commandSchema>, { kind: 'stop' }>;

const outcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('measured'), measurement: measurementSchema }),
  /** It `did not drain` if, in an interleaving, requests were not answered at the end of a turn. */
  z.object({ kind: z.enum(['did not drain', 'refused', 'stopped']) }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
]);
export type Outcome = z.infer<typeof outcomeSchema>;

export const batchSchema = z.object({
  answers: z.int().min(0),
  ns: z.number().min(0),
  cpuNs: z.number(),
  /** The server's memory after the window. */
  bytes: z.number().min(0),
});
/** What a server did in one window of an endless load. */
export type Batch = z.infer<typeof batchSchema>;

export const replySchema = z.discriminatedUnion('kind', [
  ...outcomeSchema.options,
  /** To `prepare`, `begin` and `end`. */
  z.object({ kind: z.literal('ready') }),
  /** To `interleave`, with the outcome of each order. */
  z.object({ kind: z.literal('interleaved'), outcomes: z.array(outcomeSchema) }),
  z.object({ kind: z.literal('batch'), batch: batchSchema }),
]);
export type Reply = z.infer<typeof replySchema>;
