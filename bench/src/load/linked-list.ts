export interface ListNode<T> {
  before: T | null;
  after: T | null;
}

/**
 * Items in the order in which they were added. In V8 a Set would make too much garbage: each of its outgrown tables
 * points to the next one, so one in the old generation keeps all later ones alive until a full collection. At 30,000
 * requests per second that was 0.3 MB more at each collection.
 */
export class LinkedList<T extends ListNode<T>> {
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

  add(item: T): void {
    item.before = this.#last;
    if (this.#last === null) this.#first = item;
    else this.#last.after = item;
    this.#last = item;
    this.#size++;
  }

  /** Removes an item, which has to be in the list. */
  remove(item: T): void {
    const { before, after } = item;
    if (before === null) this.#first = after;
    else before.after = after;
    if (after === null) this.#last = before;
    else after.before = before;
    // It must not keep later items alive.
    item.before = null;
    item.after = null;
    this.#size--;
  }
}
