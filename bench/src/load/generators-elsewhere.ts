import { messageOf } from '../base/errors.ts';
import { type Generator, GeneratorError, generatorOver } from './generator.ts';
import { readAsAsked } from './readings.ts';
import { type Answer, askSchema, type FromHarness, type ToHarness } from './relay.ts';

/** A generator on the other machine, as far as messages tell. */
interface Remote {
  started: PromiseWithResolvers<void>;
  /** Rejects once it is gone, with why. */
  gone: PromiseWithResolvers<never>;
  /** Who waits for its next message. */
  next: PromiseWithResolvers<unknown> | null;
}

/** Generators on the other machine, for a harness on the machine of the servers. */
export class GeneratorsElsewhere {
  readonly #send: (message: FromHarness) => void;
  readonly #remotes = new Map<number, Remote>();
  #started = 0;

  constructor(send: (message: FromHarness) => void) {
    this.#send = send;
  }

  /** Starts one, on whatever cores. @throws when it can't be started. */
  async start(): Promise<Generator> {
    const generator = ++this.#started;
    const remote: Remote = {
      started: Promise.withResolvers(),
      gone: Promise.withResolvers(),
      next: null,
    };
    // It is awaited beside each order; between orders nobody listens.
    remote.gone.promise.catch(() => {});
    this.#remotes.set(generator, remote);
    this.#send({ kind: 'start', generator });
    await Promise.race([remote.started.promise, remote.gone.promise]);
    return generatorOver({
      // It is no process of this machine.
      pid: 0,
      send: async (message) => this.#send({ kind: 'tell', generator, message }),
      nextMessage: () => {
        remote.next = Promise.withResolvers();
        return remote.next.promise;
      },
      died: remote.gone.promise,
      [Symbol.asyncDispose]: async () => {
        this.#remotes.delete(generator);
        this.#send({ kind: 'end', generator });
      },
    });
  }

  /** Takes what the other machine tells of a generator. */
  take(message: Extract<ToHarness, { generator: number }>): void {
    const { generator } = message;
    const remote = this.#remotes.get(generator);
    switch (message.kind) {
      case 'started':
        remote?.started.resolve();
        break;
      case 'gone':
        remote?.gone.reject(
          new GeneratorError(message.reason, 'See what happened to it, and run again.'),
        );
        break;
      case 'told': {
        const asked = askSchema.safeParse(message.message);
        if (asked.success) this.#read(generator, asked.data.number, asked.data.request);
        else remote?.next?.resolve(message.message);
      }
    }
  }

  async #read(generator: number, number: number, request: unknown): Promise<void> {
    const outcome: Answer['outcome'] = await readAsAsked(request).then(
      (value) => ({ value }),
      (error: unknown) => ({ error: messageOf(error) }),
    );
    this.#send({ kind: 'tell', generator, message: { kind: 'reading', number, outcome } });
  }
}
