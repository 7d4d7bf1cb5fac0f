import type { Clock } from './clock.ts';
import { withDeadlines } from './deadline.ts';
import type { Generator } from './generator.ts';

/** Starts a generator process on these cores; null for all cores. @throws when it can't be started. */
export type StartGenerator = (cores: readonly number[] | null) => Promise<Generator>;

/** The generator processes of a run, each started when it is first needed. Disposing of it ends them. */
export class GeneratorPool implements AsyncDisposable {
  readonly #generators: Generator[] = [];
  readonly #start: StartGenerator;
  readonly #clock: Clock;

  constructor(start: StartGenerator, clock: Clock) {
    this.#start = start;
    this.#clock = clock;
  }

  /** A generator for each of these sets of cores; the first are always the same. @throws when one can't be started. */
  async take(cores: readonly (readonly number[] | null)[]): Promise<Generator[]> {
    for (const own of cores.slice(this.#generators.length)) {
      this.#generators.push(withDeadlines(await this.#start(own), this.#clock));
    }
    return this.#generators.slice(0, cores.length);
  }

  /** Ends the generators, so that the next ones are new. */
  async renew(): Promise<void> {
    const ended = this.#generators.splice(0).map((each) => each[Symbol.asyncDispose]());
    await Promise.all(ended);
  }

  [Symbol.asyncDispose] = (): Promise<void> => this.renew();
}
