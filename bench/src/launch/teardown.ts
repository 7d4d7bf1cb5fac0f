import { chunk } from 'simple-statistics';

/** Ends everything that was started, all at once, even if ending some of it fails. */
export class Teardown implements AsyncDisposable {
  readonly #ends: (() => Promise<void>)[] = [];

  /** Call it in the same tick as the start, so that nothing can come in between. */
  add(end: () => Promise<void>): void {
    this.#ends.push(end);
  }

  /** A part of this teardown; `after` runs once everything in the part has ended. */
  part(after: () => Promise<void>): Teardown {
    const part = new Teardown();
    this.add(async () => {
      await part[Symbol.asyncDispose]();
      await after();
    });
    return part;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await settled(this.#ends.splice(0).map((end) => end()));
  }
}

/** The results of these promises, once all are settled. @throws what the first that rejected throws. */
export async function settled<T>(all: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(all);
  return await Promise.all(all);
}

/** The results of an action on each item, on so many at a time. @throws as `settled`; no other batch begins then. */
export async function inBatches<Item, Result>(
  items: readonly Item[],
  size: number,
  act: (item: Item) => Promise<Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const batch of chunk([...items], size)) {
    results.push(...(await settled(batch.map(act))).flat());
  }
  return results;
}
