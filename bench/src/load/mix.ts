/**
 * The places of requests in the order in which they come, again and again, each as often as its weight
 * says and as evenly as that allows (smooth weighted round robin).
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

/** Somebody's way through a mix, round and round. */
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

  /** The place of the request that is next. */
  next(): number {
    const place = this.#mix[this.#at] ?? 0;
    this.#at = (this.#at + 1) % this.#mix.length;
    return place;
  }

  /** The places of one round, from the next one on. */
  ahead(): number[] {
    return [...this.#mix.slice(this.#at), ...this.#mix.slice(0, this.#at)];
  }

  /** Goes back by so many requests, which come again. */
  back(requests: number): void {
    const { length } = this.#mix;
    this.#at = (((this.#at - requests) % length) + length) % length;
  }
}

/** Loads that are remembered, more than are ever alive together: a launch has ports of its own. */
const MOST_KNOWN = 256;

/** The load whose connections walk through a mix. */
interface Walked {
  origin: string;
  requests: readonly { weight: number }[];
  connections: number;
}

/**
 * Where the connections of loads are in their mixes: each starts elsewhere, and goes on where it was when
 * the same load comes again, so that a server that answers a few requests in a slice gets all of them in
 * time, as one does that answers many.
 */
export class RequestCursors {
  readonly #known = new Map<string, RequestCursor[]>();

  /** A walk for each connection of a load; the same ones for the same load. */
  of(load: Walked): RequestCursor[] {
    return this.#cursors(load, load.connections);
  }

  /** A single walk, for a load whose connections take turns. */
  ofOne(load: Walked): RequestCursor {
    const [cursor] = this.#cursors(load, 1);
    if (cursor === undefined) throw new Error('a mix without a cursor');
    return cursor;
  }

  #cursors({ origin, requests, connections }: Walked, walkers: number): RequestCursor[] {
    const weights = requests.map(({ weight }) => weight);
    const key = [origin, connections, walkers, ...weights].join(' ');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const mix = mixOf(weights);
    // Where nothing is to choose there is no place to remember.
    if (mix.length === 1) return new Array<RequestCursor>(walkers).fill(new RequestCursor(mix, 0));
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size >= MOST_KNOWN) this.#known.delete(oldest);
    const cursors = Array.from({ length: walkers }, (_, walker) => {
      return new RequestCursor(mix, Math.floor((walker * mix.length) / walkers));
    });
    this.#known.set(key, cursors);
    return cursors;
  }
}
