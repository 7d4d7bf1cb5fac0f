import { type Generator, startGenerator } from './generator.ts';

/** The generator processes of a run, each started when it is first needed; disposing ends them all. */
export class GeneratorPool implements AsyncDisposable {
  readonly #generators: Generator[] = [];

  /**
   * A generator for each of these sets of cores (null for all cores); the first of them are always
   * the same.
   * @throws when one can't be started.
   */
  async take(cores: readonly (readonly number[] | null)[]): Promise<Generator[]> {
    for (const own of cores.slice(this.#generators.length)) {
      this.#generators.push(await startGenerator(own));
    }
    return this.#generators.slice(0, cores.length);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#generators.map((generator) => generator[Symbol.asyncDispose]()));
  }
}
