import { chunk } from 'simple-statistics';

/** What has been started, all of which is ended at once, even where ending one of them fails. */
export class Teardown implements AsyncDisposable {
  readonly #ends: (() => Promise<void>)[] = [];

  /** Whoever starts something adds its end in the same tick, so that nothing can come in between. */
  add(end: () => Promise<void>): void {
    this.#ends.push(end);
  }

  /** A part of this teardown, with something that is done once all in the part has ended. */
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

/** The results of all of these, once none is pending any more. @throws what the first of them throws. */
export async function settled<T>(all: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(all);
  return await Promise.all(all);
}

/** The results of an action on each of these, on so many at a time. @throws as `settled`; no other begins then. */
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
