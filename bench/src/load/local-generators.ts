import { now } from './clock.ts';
import { type Channel, startGeneratorProcess } from './generator.ts';
import type { FromHarness, ToHarness } from './relay.ts';

/** A generator is told this long before its window opens, ns. */
const NOTICE_NS = 1e7;

/** Generators on this machine, for a harness on the machine of the servers; disposing of it ends them. */
export function localGenerators(send: (message: ToHarness) => void) {
  const processes = new Map<number, Channel>();
  const start = async (generator: number) => {
    const child = await startGeneratorProcess(null, [], { readsRemotely: true });
    processes.set(generator, child);
    child.onMessage((message) => send({ kind: 'told', generator, message }));
    child.died.catch(({ message: reason }: Error) => {
      if (processes.has(generator)) send({ kind: 'gone', generator, reason });
    });
  };
  return {
    /** Does what the harness wants of a generator. @throws when it can't be started. */
    take: async (order: Extract<FromHarness, { generator: number }>): Promise<void> => {
      const child = processes.get(order.generator);
      if (order.kind === 'start') {
        await start(order.generator);
      } else if (order.kind === 'end') {
        await child?.[Symbol.asyncDispose]();
        processes.delete(order.generator);
      } else {
        const { message } = order;
        // The clock of the harness is not this one: a window opens at once.
        const own = message.kind === 'open' ? { ...message, atNs: now() + NOTICE_NS } : message;
        // A generator that is gone has said so.
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
