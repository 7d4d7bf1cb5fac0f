import type { Clock } from './clock.ts';
import { withDeadlines } from './deadline.ts';
import type { Generator } from './generator.ts';

export type GeneratorPool = ReturnType<typeof generatorPool>;

/** The generators of a run, each started on its cores (null for all) when first needed. Disposing of it ends them. */
export function generatorPool(
  start: (cores: readonly number[] | null) => Promise<Generator>,
  clock: Clock,
) {
  const generators: Generator[] = [];
  /** Ends the generators, so that the next ones are new. */
  const renew = async (): Promise<void> => {
    await Promise.all(generators.splice(0).map((each) => each[Symbol.asyncDispose]()));
  };
  return {
    /** A generator for each of these sets of cores; the first are always the same. @throws when one can't be started. */
    take: async (cores: readonly (readonly number[] | null)[]): Promise<Generator[]> => {
      for (const own of cores.slice(generators.length)) {
        generators.push(withDeadlines(await start(own), clock));
      }
      return generators.slice(0, cores.length);
    },
    renew,
    [Symbol.asyncDispose]: renew,
  };
}
