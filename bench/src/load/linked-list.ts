/** An item of a linked list, with its neighbours. */
export interface Linked<T> {
  before: T | null;
  after: T | null;
}

/**
 * Items in the order in which they were added. A Set would do but for the garbage that it makes: its outgrown tables
 * point to those that followed, so in V8 one that has become old keeps all later ones alive, with everything in them,
 * until the whole heap is collected. At 30,000 requests per second that was 0.3 MB more to keep at each collection.
 */
export class LinkedList<T extends Linked<T>> {
  #first: T | null = null;
  #last: T | null = null;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get first(): T | null {
    return this.#first;
  }

  *[Symbol.iterator](): Generator<T> {
    for (let each = this.#first; each !== null; each = each.after) yield each;
  }

  /** Adds an item at the end. */
  add(item: T): void {
    item.before = this.#last;
    if (this.#last === null) this.#first = item;
    else this.#last.after = item;
    this.#last = item;
    this.#size++;
  }

  /** Removes an item of the list. */
  remove(item: T): void {
    const { before, after } = item;
    if (before === null) this.#first = after;
    else before.after = after;
    if (after === null) this.#last = before;
    else after.before = before;
    // It must not keep alive what came after it.
    item.before = null;
    item.after = null;
    this.#size--;
  }
}
