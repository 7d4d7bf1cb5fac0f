/** What has been started, which is ended all at once, and whatever becomes of one. */
export class Endings implements AsyncDisposable {
  readonly #ends: (() => Promise<void>)[] = [];

  /** Whoever starts something adds its end in the same turn, so that nothing can come in between. */
  add(end: () => Promise<void>): void {
    this.#ends.push(end);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await settled(this.#ends.splice(0).map((end) => end()));
  }
}

/** What all of these come to, once none is under way any more. @throws what the first of them does. */
export async function settled<T>(all: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(all);
  return await Promise.all(all);
}
