import { now } from './clock.ts';
import { type GeneratorProcess, startGeneratorProcess } from './generator.ts';
import { commandSchema } from './protocol.ts';
import type { FromHarness, ToHarness } from './relay.ts';

/** So long before its window opens is a generator told, ns. */
const NOTICE_NS = 1e7;

/** Generators of this machine, for a harness on the machine of the servers; disposing of it ends them. */
export class GeneratorsHere implements AsyncDisposable {
  readonly #send: (message: ToHarness) => void;
  readonly #processes = new Map<number, GeneratorProcess>();

  constructor(send: (message: ToHarness) => void) {
    this.#send = send;
  }

  /** Does what the harness wants of a generator. */
  async take(message: Extract<FromHarness, { generator: number }>): Promise<void> {
    const { kind, generator } = message;
    switch (kind) {
      case 'start':
        await this.#start(generator);
        break;
      case 'end':
        await this.#processes.get(generator)?.[Symbol.asyncDispose]();
        this.#processes.delete(generator);
        break;
      case 'tell':
        // One that is gone has said so.
        await this.#processes
          .get(generator)
          ?.send(onOwnClock(message.message))
          .catch(() => {});
    }
  }

  async #start(generator: number): Promise<void> {
    const child = await startGeneratorProcess(null, [], { readsElsewhere: true });
    this.#processes.set(generator, child);
    child.onMessage((message) => this.#send({ kind: 'told', generator, message }));
    child.died.catch((error: Error) => {
      if (this.#processes.has(generator))
        this.#send({ kind: 'gone', generator, reason: error.message });
    });
    this.#send({ kind: 'started', generator });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const all = [...this.#processes.values()];
    this.#processes.clear();
    await Promise.all(all.map((child) => child[Symbol.asyncDispose]()));
  }
}

/** An instant of the harness's clock is none of this machine's: a window opens at once. */
function onOwnClock(message: unknown): unknown {
  const command = commandSchema.safeParse(message);
  if (!command.success || command.data.kind !== 'open') return message;
  return { ...command.data, atNs: now() + NOTICE_NS };
}
