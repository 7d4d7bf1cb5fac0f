/** Messages between a harness on the machine of the servers and generators on another one: lines of JSON over ssh. */
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { UserError } from '../base/errors.ts';
import { now } from './clock.ts';
import { NOTICE_NS } from './fan-out.ts';
import { type Channel, GeneratorError, generatorOver, startGeneratorProcess } from './generator.ts';
import { answerReading, readingRequestSchema } from './readings.ts';

/** A variable for a harness on the machine of the servers: its generators are `here` or `there`. */
export const GENERATOR = 'OVERHEAD_GENERATOR';

const generator = z.int().min(0);

/** From the harness, where the servers are. */
export const fromHarnessSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('start'), generator }),
  z.object({ kind: z.literal('end'), generator }),
  /** A command, or an answer to a reading request. */
  z.object({ kind: z.literal('tell'), generator, message: z.looseObject({ kind: z.string() }) }),
  z.object({ kind: z.literal('record'), record: z.unknown() }),
  /** Its time of day, ms, in answer to the sign of life that said `of` ms. */
  z.object({ kind: z.literal('clock'), ms: z.number(), of: z.number() }),
  z.object({ kind: z.literal('over'), exitCode: z.int() }),
]);
export type FromHarness = z.infer<typeof fromHarnessSchema>;

export const toHarnessSchema = z.discriminatedUnion('kind', [
  /** A reply of a generator, or a reading request. */
  z.object({ kind: z.literal('told'), generator, message: z.unknown() }),
  z.object({ kind: z.literal('gone'), generator, reason: z.string() }),
  z.object({ kind: z.literal('signal'), name: z.enum(['SIGINT', 'SIGTERM']) }),
  /** A sign of life, with the time of day, ms. */
  z.object({ kind: z.literal('alive'), ms: z.number() }),
]);
export type ToHarness = z.infer<typeof toHarnessSchema>;

export function lineOf(message: FromHarness | ToHarness): string {
  return `${JSON.stringify(message)}\n`;
}

/** The messages of a stream until it ends. @throws UserError for any other line. */
export async function* messagesOf<T>(input: Readable, schema: z.ZodType<T>): AsyncGenerator<T> {
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    try {
      yield schema.parse(JSON.parse(line));
    } catch (cause) {
      throw new UserError(
        `the other machine printed "${line.slice(0, 60)}"`,
        'See what its shell prints at its start.',
        { cause },
      );
    }
  }
}

/** Generators on this machine, for a harness on the machine of the servers. Disposing of it ends them. */
export function localGenerators(send: (message: ToHarness) => void) {
  const processes = new Map<number, Channel>();
  return {
    /** Carries out a message of the harness. @throws when a generator can't be started. */
    take: async (order: Extract<FromHarness, { generator: number }>): Promise<void> => {
      const { kind, generator } = order;
      const child = processes.get(generator);
      if (kind === 'start') {
        const started = await startGeneratorProcess(null, [], { readsRemotely: true });
        processes.set(generator, started);
        started.onMessage((message) => send({ kind: 'told', generator, message }));
        started.died.catch(({ message: reason }: Error) => {
          if (processes.has(generator)) send({ kind: 'gone', generator, reason });
        });
      } else if (kind === 'end') {
        await child?.[Symbol.asyncDispose]();
        processes.delete(generator);
      } else {
        const { message } = order;
        // The harness has another clock: the window opens at once.
        const own = message.kind === 'open' ? { ...message, atNs: now() + NOTICE_NS } : message;
        // If it is gone, the harness learns of that anyway.
        await child?.send(own).catch(() => {});
      }
    },
    [Symbol.asyncDispose]: async () => {
      const all = [...processes.values()];
      processes.clear();
      await Promise.all(all.map((child) => child[Symbol.asyncDispose]()));
    },
  };
}

interface Remote {
  take(message: unknown): void;
  gone: PromiseWithResolvers<never>;
}

/** Generators on another machine, for a harness on the machine of the servers. */
export function remoteGenerators(send: (message: FromHarness) => void) {
  const remotes = new Map<number, Remote>();
  let started = 0;
  return {
    /** Has a generator started; commands reach it once it runs. */
    start: () => {
      const generator = ++started;
      const remote: Remote = { take: () => {}, gone: Promise.withResolvers() };
      remotes.set(generator, remote);
      send({ kind: 'start', generator });
      return generatorOver({
        send: async (message) => send({ kind: 'tell', generator, message }),
        onMessage: (take) => {
          remote.take = take;
        },
        died: remote.gone.promise,
        [Symbol.asyncDispose]: async () => {
          remotes.delete(generator);
          send({ kind: 'end', generator });
        },
      });
    },
    /** Takes a message about a generator from the other machine. */
    take: async (about: Extract<ToHarness, { generator: number }>): Promise<void> => {
      const { generator } = about;
      const remote = remotes.get(generator);
      if (about.kind === 'gone') {
        const next = 'See what happened to it, and run again.';
        remote?.gone.reject(new GeneratorError(about.reason, next));
        return;
      }
      const request = readingRequestSchema.safeParse(about.message);
      if (!request.success) remote?.take(about.message);
      else send({ kind: 'tell', generator, message: await answerReading(request.data) });
    },
  };
}
