import { join } from 'node:path';
import { execa } from 'execa';
import { messageOf, UserError } from '../base/errors.ts';
import { CODE_EXTENSION, SRC } from '../base/places.ts';
import { pinned } from '../system/pin.ts';
import { howEnded, signal } from '../system/processes.ts';
import { type Command, READS_REMOTELY, type Reply, replySchema } from './protocol.ts';

const CHILD = join(SRC, `load/generator-process${CODE_EXTENSION}`);

/** autocannon's timer library sets timers in the past when the event loop is late. */
const FLAGS = ['--disable-warning=TimeoutNegativeWarning'];

/** A generator process, which lives for a whole run and carries out one order at a time. */
export interface Generator extends AsyncDisposable {
  /** Resolves to the reply to a command. @throws when the process dies, or replies anything unknown. */
  ask(command: Command): Promise<Reply>;
  /** Ends the current order early: its reply is `stopped`. */
  stop(): void;
}

/** A generator failed, which need not happen again. */
export class GeneratorError extends UserError {}

/** Messages to and from a generator process. */
export interface Channel extends AsyncDisposable {
  /** @throws when the process is gone. */
  send(message: { kind: string }): Promise<unknown>;
  onMessage(take: (message: unknown) => void): void;
  /** Rejects once the process is gone, with the reason. */
  readonly died: Promise<never>;
}

/** The generator at the other end of this channel. */
export function generatorOver(channel: Channel): Generator {
  const { died } = channel;
  // Between two commands nobody awaits it.
  died.catch(() => {});
  let next: PromiseWithResolvers<unknown> | null = null;
  channel.onMessage((message) => next?.resolve(message));
  return {
    ask: async (command) => {
      next = Promise.withResolvers();
      // The channel breaks before the process has died, but the reason matters.
      const sent = channel.send(command).catch(() => died);
      const [message] = await Promise.race([Promise.all([next.promise, sent]), died]);
      return replySchema.parse(message);
    },
    stop: () => {
      // If the process is gone, `died` says so.
      channel.send({ kind: 'stop' }).catch(() => {});
    },
    [Symbol.asyncDispose]: () => channel[Symbol.asyncDispose](),
  };
}

/** Starts a generator process, pinned to these cores; these hosts send for it. @throws when it can't be started. */
export async function startGeneratorProcess(
  cores: readonly number[] | null,
  hosts: readonly string[] = [],
  { readsRemotely = false } = {},
): Promise<Channel> {
  const [file, ...args] = pinned(cores, [process.execPath, ...FLAGS, CHILD, ...hosts]);
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
      `the load generator ended with ${howEnded(result)}`,
      'See whether the machine ran out of memory, and run again.',
    );
  });
  return {
    // execa throws when the channel is gone, but callers expect a rejection.
    send: async (message) => child.sendMessage(message),
    onMessage: (take) => void child.nodeChildProcess.on('message', take),
    died,
    async [Symbol.asyncDispose]() {
      signal(-pid, 'SIGKILL');
      await child;
    },
  };
}

/** Starts a generator process that reads counters itself. @throws as `startGeneratorProcess`. */
export async function startGenerator(
  cores: readonly number[] | null,
  hosts: readonly string[] = [],
): Promise<Generator> {
  return generatorOver(await startGeneratorProcess(cores, hosts));
}
