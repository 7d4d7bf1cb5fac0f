import { join } from 'node:path';
import { execa } from 'execa';
import { messageOf, UserError } from '../base/errors.ts';
import { CODE_EXTENSION, SRC } from '../base/places.ts';
import { pinned } from '../system/pin.ts';
import { signal } from '../system/processes.ts';
import { type Command, type Reply, replySchema } from './protocol.ts';
import { READS_REMOTELY } from './relay.ts';

const CHILD = join(SRC, `load/generator-process${CODE_EXTENSION}`);

/** autocannon's timer library sets timers a few ms in the past when the event loop is late. */
const FLAGS = ['--disable-warning=TimeoutNegativeWarning'];

/** A generator process, alive for a whole run; it carries out one order at a time. */
export interface Generator extends AsyncDisposable {
  readonly pid: number;
  /** Resolves to the reply to a command. @throws when the generator process dies, or replies anything else. */
  ask(command: Command): Promise<Reply>;
  /** Ends early what is under way, which replies `stopped`. */
  stop(): void;
}

/** A generator did not do what it was told. Another one may. */
export class GeneratorError extends UserError {}

/** Messages to and from a generator process. */
export interface Channel extends AsyncDisposable {
  readonly pid: number;
  /** @throws where the process is gone. */
  send(message: { kind: string }): Promise<unknown>;
  /** Called with every message from now on. */
  onMessage(take: (message: unknown) => void): void;
  /** Rejects once the process is gone, with why. */
  readonly died: Promise<never>;
}

/** The generator at the other end of this channel. */
export function generatorOver(channel: Channel): Generator {
  const { pid, died } = channel;
  let next: PromiseWithResolvers<unknown> | null = null;
  channel.onMessage((message) => next?.resolve(message));
  return {
    pid,
    ask: async (command) => {
      next = Promise.withResolvers();
      // A generator that dies breaks the channel first; the user wants to know why it died.
      const sent = channel.send(command).catch(() => died);
      const [message] = await Promise.race([Promise.all([next.promise, sent]), died]);
      return replySchema.parse(message);
    },
    stop: () => {
      // A generator that is gone can't be told; `died` says so.
      channel.send({ kind: 'stop' }).catch(() => {});
    },
    [Symbol.asyncDispose]: () => channel[Symbol.asyncDispose](),
  };
}

/**
 * Starts a generator process, pinned to these cores where the system can pin; requests at a rate are sent by these
 * hosts for it. It reads what servers use by itself, or else asks whoever has started it.
 * @throws when it can't be started.
 */
export async function startGeneratorProcess(
  cores: readonly number[] | null,
  hosts: readonly string[] = [],
  { readsRemotely = false } = {},
): Promise<Channel> {
  const [file, args] = pinned(cores, [process.execPath, ...FLAGS, CHILD, ...hosts]);
  const child = execa(file, args, {
    env: readsRemotely ? { [READS_REMOTELY]: '1' } : {},
    ipc: true,
    detached: true,
    buffer: false,
    stdio: ['ignore', 'ignore', 'inherit'],
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
  // It is awaited beside each command; between commands nobody listens.
  died.catch(() => {});
  return {
    pid,
    // execa throws at once where there is no channel any more; callers handle a rejection.
    send: async (message) => child.sendMessage(message),
    onMessage: (take) => {
      const taking = async () => {
        for await (const message of child.getEachMessage()) take(message);
      };
      // `died` says why there are no more.
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

/** Starts a generator process that reads what servers use by itself. @throws as `startGeneratorProcess`. */
export async function startGenerator(
  cores: readonly number[] | null,
  hosts: readonly string[] = [],
): Promise<Generator> {
  return generatorOver(await startGeneratorProcess(cores, hosts));
}
