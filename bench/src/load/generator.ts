import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { messageOf, UserError } from '../base/errors.ts';
import { CODE_EXTENSION, SRC } from '../base/places.ts';
import { pinned } from '../system/pin.ts';
import { signal } from '../system/processes.ts';
import {
  type BatchOutcome,
  type BatchWindow,
  batchOutcomeSchema,
  type Command,
  failedSchema,
  type InterleavedOutcome,
  type Interleaving,
  interleavedSchema,
  type LastingOrder,
  type Order,
  type Outcome,
  outcomeSchema,
  type Prepared,
  preparedSchema,
} from './protocol.ts';
import { READS_ELSEWHERE } from './relay.ts';

const messageSchema = z.json();

const CHILD = join(SRC, `load/generator-process${CODE_EXTENSION}`);

/** autocannon's timer library sets timers a few ms in the past when the event loop is late. */
const FLAGS = ['--disable-warning=TimeoutNegativeWarning'];

/** A generator process, alive for a whole run; it takes one order at a time. */
export interface Generator extends AsyncDisposable {
  readonly pid: number;
  /**
   * Puts an order's load on, as far as its window can open.
   * @throws when the generator process dies or answers something else.
   */
  prepare(order: Order): Promise<Prepared>;
  /**
   * Opens the window at this instant of the monotonic clock, ns, and measures. To be called once for
   * each `ready`, stopped or not: only then does the generator let go.
   * @throws as `prepare`.
   */
  open(atNs: number): Promise<Outcome>;
  /**
   * Carries out orders together, in blocks; resolves to what became of each.
   * @throws as `prepare`.
   */
  interleave(interleaving: Interleaving): Promise<InterleavedOutcome[]>;
  /**
   * Begins a load that goes on until `end`, and measures its next window, by and by.
   * @throws as `prepare`.
   */
  begin(order: LastingOrder): Promise<void>;
  batch(window: BatchWindow): Promise<BatchOutcome>;
  /** Ends that load; resolves once the server is idle. @throws as `prepare`. */
  end(): Promise<void>;
  /** Ends what is under way early, with the reply `stopped`. */
  stop(): void;
}

/** A generator did not do what it was told. Another one may. */
export class GeneratorError extends UserError {}

/** That a generator could not do what it was told. */
export function generatorFailed(message: string): GeneratorError {
  return new GeneratorError(
    `the load generator failed: ${message}`,
    'See whether the machine ran out of memory, files or local ports (`ulimit -n`, `sysctl net.ipv4.ip_local_port_range`), and run again.',
  );
}

/** A reply that tells something. @throws UserError for one that says why there is none. */
function unlessFailed(reply: unknown): unknown {
  const failed = failedSchema.safeParse(reply);
  if (failed.success) throw generatorFailed(failed.data.message);
  return reply;
}

/** How a generator is told things, and tells. */
interface Channel extends AsyncDisposable {
  readonly pid: number;
  /** @throws where nobody is there any more. */
  send(command: Command): Promise<unknown>;
  /** Resolves to what it says next. @throws as `send`. */
  nextMessage(): Promise<unknown>;
  /** Rejects once it is gone, with why. */
  readonly died: Promise<never>;
}

/** A generator that is told things over this channel. */
export function generatorOver({ pid, send, nextMessage, died, ...channel }: Channel): Generator {
  const ask = async (command: Command) => {
    // A generator that dies breaks the channel first; why it died is what the user wants to know.
    const reply = nextMessage().catch(() => died);
    const sent = send(command).catch(() => died);
    const [message] = await Promise.race([Promise.all([reply, sent]), died]);
    return message;
  };
  return {
    pid,
    prepare: async (order) => preparedSchema.parse(await ask({ kind: 'prepare', order })),
    open: async (atNs) => outcomeSchema.parse(await ask({ kind: 'open', atNs })),
    interleave: async (interleaving) => {
      return interleavedSchema.parse(unlessFailed(await ask({ kind: 'interleave', interleaving })));
    },
    begin: async (order) => {
      await send({ kind: 'begin', order }).catch(() => died);
    },
    batch: async (window) => batchOutcomeSchema.parse(await ask({ kind: 'batch', window })),
    end: async () => {
      preparedSchema.parse(unlessFailed(await ask({ kind: 'end' })));
    },
    stop: () => {
      // A generator that is gone already can't be told; `died` says so.
      send({ kind: 'stop' }).catch(() => {});
    },
    [Symbol.asyncDispose]: () => channel[Symbol.asyncDispose](),
  };
}

/** A generator process, with its messages as they are. */
export interface GeneratorProcess extends Omit<Channel, 'send'> {
  send(message: unknown): Promise<unknown>;
  onMessage(take: (message: unknown) => void): void;
}

/**
 * Starts a generator process, pinned to these cores where the system can pin; at a rate these hosts send for it. What
 * servers use it reads itself, or else asks of whoever has started it.
 * @throws when it can't be started.
 */
export async function startGeneratorProcess(
  cores: readonly number[] | null,
  hosts: readonly string[] = [],
  { readsElsewhere = false } = {},
): Promise<GeneratorProcess> {
  const [file, args] = pinned(cores, [process.execPath, ...FLAGS, CHILD, ...hosts]);
  const child = execa(file, args, {
    env: readsElsewhere ? { [READS_ELSEWHERE]: '1' } : {},
    ipc: true,
    detached: true,
    buffer: false,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'inherit',
    reject: false,
  });
  const { pid } = child;
  if (pid === undefined) {
    const { cause } = await child;
    throw new Error(`the load generator did not start: ${messageOf(cause)}`, { cause });
  }
  const died = child.then((result) => {
    throw new GeneratorError(
      `the load generator ended with ${result.signal ?? `code ${result.exitCode}`}`,
      'See whether the machine ran out of memory, and run again.',
    );
  });
  // It is awaited beside each order; between orders nobody listens.
  died.catch(() => {});
  return {
    pid,
    // execa throws at once where there is no channel any more; a rejection is what callers handle.
    send: async (message) => child.sendMessage(messageSchema.parse(message)),
    nextMessage: async () => child.getOneMessage(),
    onMessage: (take) => {
      const taking = async () => {
        for await (const message of child.getEachMessage()) take(message);
      };
      // Why there are no more, `died` says.
      taking().catch(() => {});
    },
    died,
    async [Symbol.asyncDispose]() {
      // With what it has started.
      signal(-pid, 'SIGKILL');
      await child;
    },
  };
}

/** Starts a generator process that reads what servers use itself. @throws as `startGeneratorProcess`. */
export async function startGenerator(
  cores: readonly number[] | null,
  hosts: readonly string[] = [],
): Promise<Generator> {
  return generatorOver(await startGeneratorProcess(cores, hosts));
}
