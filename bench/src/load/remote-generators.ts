import { type Generator, GeneratorError, generatorOver } from './generator.ts';
import { answerReading, readingRequestSchema } from './readings.ts';
import type { FromHarness, ToHarness } from './relay.ts';

/** A generator on the other machine: who takes its messages, and who learns that it is gone. */
interface Remote {
  take(message: unknown): void;
  gone: PromiseWithResolvers<never>;
}

/** Generators on another machine, for a harness on the machine of the servers. */
export function remoteGenerators(send: (message: FromHarness) => void) {
  const remotes = new Map<number, Remote>();
  let started = 0;
  return {
    /** Has one started, on whatever cores; commands reach it once it runs. */
    start: (): Generator => {
      const generator = ++started;
      const remote: Remote = { take: () => {}, gone: Promise.withResolvers() };
      // It is awaited beside each command; between commands nobody listens.
      remote.gone.promise.catch(() => {});
      remotes.set(generator, remote);
      send({ kind: 'start', generator });
      return generatorOver({
        // It is no process of this machine.
        pid: 0,
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
    /** Takes what the other machine tells about a generator. */
    take: async (told: Extract<ToHarness, { generator: number }>): Promise<void> => {
      const { generator } = told;
      const remote = remotes.get(generator);
      if (told.kind === 'gone') {
        const next = 'See what happened to it, and run again.';
        remote?.gone.reject(new GeneratorError(told.reason, next));
        return;
      }
      const request = readingRequestSchema.safeParse(told.message);
      if (!request.success) remote?.take(told.message);
      else send({ kind: 'tell', generator, message: await answerReading(request.data) });
    },
  };
}
