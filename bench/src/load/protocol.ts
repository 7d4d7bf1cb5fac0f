/** What the harness and its generator processes send each other. */
import { z } from 'zod';
import { agreedSchema } from '../targets/exchange.ts';
import { measurementSchema } from './measurement.ts';

const pids = z.array(z.int());
export const sourcesSchema = z.object({
  /** The folder of the control group that limits the server, for its throttling; null without one. */
  group: z.string().nullable(),
  /** The process whose main thread is read separately; null where nobody asks for it. */
  firstThreadOf: z.int().nullable(),
  /** The processes whose CPU time and memory are read; those of services by name. */
  pids: z.object({
    server: pids,
    manager: pids,
    harness: pids,
    services: z.record(z.string(), pids),
  }),
});
/** What is read on the machine of the server. */
export type CounterSources = z.infer<typeof sourcesSchema>;

/** What every order has. */
const shared = {
  origin: z.string(),
  /** What is sent, each as often as its weight says, and what every answer is compared with. */
  requests: z.array(agreedSchema).min(1),
  /** A request without an answer is given up after this, and its connection with it, ns. */
  timeoutNs: z.number(),
  /** Wait after the load until the server is idle, at most this long, ns. */
  drainCapNs: z.number(),
  /** CPU time that the server's processes use per second without any requests, ns. */
  idleNsPerS: z.number(),
  /**
   * Keeps the generator's event loop turning, so that neither an answer nor a planned instant has to wake a sleeping
   * core. Null lets it sleep. In a closed loop no turn is shorter than this, ns: answers that arrive within it
   * are handled together.
   */
  turnNs: z.number().nullable(),
  ...sourcesSchema.shape,
};

/** How long the window of a slice stays open. */
const windowSchema = z.object({ ns: z.number() });

/** The window of a batch also closes after this many answers, right or wrong; null where only time ends it. */
const batchWindowSchema = windowSchema.extend({ answers: z.int().min(0).nullable() });
export type BatchWindow = z.infer<typeof batchWindowSchema>;

/** A closed loop: a fixed number of requests is in flight, and each answer makes room for the next. */
const closedOrderSchema = z.object({
  kind: z.literal('closed'),
  ...shared,
  connections: z.int(),
  pipelining: z.int(),
  /**
   * When the window opens: at once, as autocannon's own command line counts; or once every connection
   * has had a response, after `capNs` at the latest, and the load has been on for another `settleNs`.
   * `batch` connections are opened at a time.
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
  /** An interleaving waits until the server is as quiet as when it is idle, at most this long, ns; 0: not at all. */
  quietCapNs: z.number(),
  /**
   * Each turn of an interleaving sends whole rounds of the requests, each as often as its weight says.
   * Otherwise the cost of a turn with few requests depends on which ones they are.
   */
  wholeRounds: z.boolean(),
});

/** An open loop: requests leave at their planned instants, whatever the server does. */
const openOrderSchema = z.object({
  kind: z.literal('open'),
  ...shared,
  /** What sends them. */
  driver: z.string(),
  /** Planned requests per second. */
  ratePerS: z.number(),
  /** The most requests in flight. */
  connections: z.int(),
  /** At least this many connections take turns, even where fewer would do. */
  leastConnections: z.int(),
  window: windowSchema,
});

const orderSchema = z.discriminatedUnion('kind', [closedOrderSchema, openOrderSchema]);
/** The load that a generator process puts on a server, one at a time. */
export type Order = z.infer<typeof orderSchema>;
export type ClosedOrder = z.infer<typeof closedOrderSchema>;
export type OpenOrder = z.infer<typeof openOrderSchema>;

/** A closed loop that goes on until it is told to end. */
const endlessOrderSchema = closedOrderSchema.omit({ window: true });
export type EndlessOrder = z.infer<typeof endlessOrderSchema>;

/** Blocks, each with the indices of the orders in the sequence of their turns. */
const blocksSchema = z.array(z.array(z.int()));
const interleavingSchema = z.object({
  orders: z.array(closedOrderSchema),
  /** Each order has an equal part of its window in every block. */
  blocks: blocksSchema,
  /**
   * Blocks before them that do not count. They end early once each server has answered this many
   * requests, and has not become cheaper over the last `span` blocks.
   */
  leadIn: z.object({ blocks: blocksSchema, answers: z.int().min(0), span: z.int().min(1) }),
});
/** Orders that one generator carries out together: in every block, each of them has a turn. */
export type Interleaving = z.infer<typeof interleavingSchema>;

/** Whether nothing is sent before the window, so that it has every request from the first on. */
export function opensAtOnce(order: Order | EndlessOrder): boolean {
  return order.kind === 'closed' && order.opening.when === 'at once';
}

/** Each but `stop` has one reply. `open` follows every `prepare` that is ready, and `end` every `begin`. */
export const commandSchema = z.discriminatedUnion('kind', [
  /** Put the load on until its window can open: every connection is answered, or the cap is reached. */
  z.object({ kind: z.literal('prepare'), order: orderSchema }),
  /** Open the window at this instant of the monotonic clock, ns, and measure it. */
  z.object({ kind: z.literal('open'), atNs: z.number() }),
  z.object({ kind: z.literal('interleave'), interleaving: interleavingSchema }),
  /** The load goes on from the first `batch` until `end`. */
  z.object({ kind: z.literal('begin'), order: endlessOrderSchema }),
  /** Measure its next window. */
  z.object({ kind: z.literal('batch'), window: batchWindowSchema }),
  /** End the load, and wait until the server is idle. */
  z.object({ kind: z.literal('end') }),
  /** End early what is under way, which replies `stopped`. */
  z.object({ kind: z.literal('stop') }),
]);
export type Command = Exclude<z.infer<typeof commandSchema>, { kind: 'stop' }>;

const outcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('measured'), measurement: measurementSchema }),
  /** In an interleaving: the server left requests unanswered when its turn was over. */
  z.object({ kind: z.literal('did not drain') }),
  /** The server refused connections: nobody listens there any more. */
  z.object({ kind: z.literal('refused') }),
  /** The harness asked to stop before the window had closed. */
  z.object({ kind: z.literal('stopped') }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
]);
/** What became of an order. */
export type Outcome = z.infer<typeof outcomeSchema>;

export const batchSchema = z.object({
  /** Answered in the window, right or wrong. */
  answers: z.int().min(0),
  ns: z.number().min(0),
  /** CPU time of the server in the window. */
  cpuNs: z.number(),
  /** Memory of the server after it. */
  bytes: z.number().min(0),
});
/** What a server did in one window of a load that goes on. */
export type Batch = z.infer<typeof batchSchema>;

export const replySchema = z.discriminatedUnion('kind', [
  ...outcomeSchema.options,
  /** To `prepare`, `begin` and `end`: the next command can come. */
  z.object({ kind: z.literal('ready') }),
  /** To `interleave`: what became of each of its orders. */
  z.object({ kind: z.literal('interleaved'), outcomes: z.array(outcomeSchema) }),
  z.object({ kind: z.literal('batch'), batch: batchSchema }),
]);
/** What a generator process says to a command. */
export type Reply = z.infer<typeof replySchema>;
