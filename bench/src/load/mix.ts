/**
 * The indices of requests in the order in which they are sent, again and again: each as often as its weight
 * says, and as evenly as that allows (smooth weighted round robin).
 */
export function mixOf(weights: readonly number[]): number[] {
  const divisor = weights.reduce(greatestCommonDivisor, 0);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const credits = weights.map(() => 0);
  return Array.from({ length: total / divisor }, () => {
    let next = 0;
    weights.forEach((weight, place) => {
      const credit = (credits[place] ?? 0) + weight;
      credits[place] = credit;
      if (credit > (credits[next] ?? 0)) next = place;
    });
    credits[next] = (credits[next] ?? 0) - total;
    return next;
  });
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/** A position in a mix, which goes round and round. */
export class RequestCursor {
  readonly #mix: readonly number[];
  #at: number;

  constructor(mix: readonly number[], start: number) {
    this.#mix = mix;
    this.#at = start % mix.length;
  }

  /** Requests in one round. */
  get round(): number {
    return this.#mix.length;
  }

  /** The index of the next request. */
  next(): number {
    const place = this.#mix[this.#at] ?? 0;
    this.#at = (this.#at + 1) % this.#mix.length;
    return place;
  }

  /** The indices of one round, from the next request on. */
  ahead(): number[] {
    return [...this.#mix.slice(this.#at), ...this.#mix.slice(0, this.#at)];
  }

  /** Goes back by this many requests, which are sent again. */
  back(requests: number): void {
    const { length } = this.#mix;
    this.#at = (((this.#at - requests) % length) + length) % length;
  }
}

/** Loads that are remembered, more than are ever alive together: a launch has ports of its own. */
const MOST_KNOWN = 256;

/** A load whose connections go through a mix. */
interface MixedLoad {
  origin: string;
  requests: readonly { weight: number }[];
  connections: number;
}

/**
 * Where the connections of loads are in their mixes. Each starts at another place, and continues where it was when
 * the same load comes again, so that a server that answers a few requests in a slice gets all of them over
 * time, like one that answers many.
 */
export class RequestCursors {
  readonly #known = new Map<string, RequestCursor[]>();

  /** A cursor for each connection of a load, or this many; the same ones for the same load. */
  of({ origin, requests, connections }: MixedLoad, count = connections): RequestCursor[] {
    const weights = requests.map(({ weight }) => weight);
    const key = [origin, connections, count, ...weights].join(' ');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const mix = mixOf(weights);
    // A single request has no position to remember.
    if (mix.length === 1) return new Array<RequestCursor>(count).fill(new RequestCursor(mix, 0));
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size >= MOST_KNOWN) this.#known.delete(oldest);
    const cursors = Array.from({ length: count }, (_, index) => {
      return new RequestCursor(mix, Math.floor((index * mix.length) / count));
    });
    this.#known.set(key, cursors);
    return cursors;
  }

  /** A single cursor, for a load whose connections take turns. */
  ofOne(load: MixedLoad): RequestCursor {
    const [cursor] = this.of(load, 1);
    if (cursor === undefined) throw new Error('a mix without a cursor');
    return cursor;
  }
}
