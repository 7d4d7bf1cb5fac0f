import { max } from 'simple-statistics';

/** One round of a mix: the indices of its requests by smooth weighted round robin. */
export function mixOf(weights: readonly number[]): number[] {
  const divisor = weights.reduce(greatestCommonDivisor, 0);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let credits = weights.map(() => 0);
  return Array.from({ length: total / divisor }, () => {
    credits = credits.map((credit, place) => credit + (weights[place] ?? 0));
    const most = max(credits);
    const next = credits.indexOf(most);
    credits = credits.with(next, most - total);
    return next;
  });
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/** A position in a mix, which repeats. */
export class RequestCursor {
  readonly #mix: readonly number[];
  #at: number;

  constructor(mix: readonly number[], start: number) {
    this.#mix = mix;
    this.#at = start % mix.length;
  }

  /** The number of requests in one round. */
  get round(): number {
    return this.#mix.length;
  }

  /** The index of the next request. */
  next(): number {
    const place = this.#mix[this.#at] ?? 0;
    this.#at = (this.#at + 1) % this.#mix.length;
    return place;
  }

  /** One round, from the next request on. */
  ahead(): number[] {
    return [...this.#mix.slice(this.#at), ...this.#mix.slice(0, this.#at)];
  }

  back(requests: number): void {
    const { length } = this.#mix;
    this.#at = (((this.#at - requests) % length) + length) % length;
  }
}

/** How many loads are remembered: more than one launch has. The next launch has other ports. */
const MOST_KNOWN = 256;

interface MixedLoad {
  origin: string;
  requests: readonly { weight: number }[];
  connections: number;
}

/** Where connections are in their mixes. They go on there, so even a slow server gets the whole mix over time. */
export class RequestCursors {
  readonly #known = new Map<string, RequestCursor[]>();

  /** A cursor for each connection of a load, or `count` of them: the same for the same load. */
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

  /** A single cursor that all connections of a load share. */
  ofOne(load: MixedLoad): RequestCursor {
    const [cursor] = this.of(load, 1);
    if (cursor === undefined) throw new Error('a mix without a cursor');
    return cursor;
  }
}
