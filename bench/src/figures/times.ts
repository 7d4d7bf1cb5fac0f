/** Times in the buckets of an HdrHistogram of three digits. */
import * as hdr from 'hdr-histogram-js';
import { UserError } from '../base/errors.ts';
import { survival } from '../math/survival.ts';

/** The upper end of a bucket, µs, and how many times are in it. */
export type Bucket = readonly [us: number, count: number];

/** Times, each known to a thousandth, µs. */
export class Times {
  /** Those that are not empty, in order. */
  readonly buckets: readonly Bucket[];
  readonly count: number;

  constructor(buckets: Iterable<Bucket>) {
    const counts = new Map<number, number>();
    for (const [us, count] of buckets) counts.set(us, (counts.get(us) ?? 0) + count);
    this.buckets = [...counts].toSorted(([a], [b]) => a - b);
    this.count = this.buckets.reduce((sum, [, count]) => sum + count, 0);
  }

  /** From the middle of each bucket; 0 without any. */
  get mean(): number {
    const sum = this.buckets.reduce((all, [us, count]) => all + middleOf(us) * count, 0);
    return this.count === 0 ? 0 : sum / this.count;
  }

  /** The upper end of the last bucket; 0 without any. */
  get most(): number {
    return this.buckets.at(-1)?.[0] ?? 0;
  }

  /** The time within which this share of them is; 0 without any. */
  quantile(share: number): number {
    return survival(this.buckets, []).quantile(share) ?? 0;
  }
}

/** Nothing is recorded in it: it knows the buckets of three digits, of times of any length. */
const SCALE = new hdr.Int8Histogram(1, 2, 3);

/** So many times of this length, µs. */
export function bucketOf(us: number, count: number): Bucket {
  return [SCALE.highestEquivalentValue(us), count];
}

/** The lower end of the bucket of a time. */
export function lowestOf(us: number): number {
  return SCALE.lowestEquivalentValue(us);
}

/** The middle of the bucket of a time. */
export function middleOf(us: number): number {
  return SCALE.medianEquivalentValue(us);
}

/** The sum of histograms as generators encode them. @throws UserError for a text that is none. */
export function pooled(encoded: readonly string[]): Times {
  return new Times(encoded.flatMap(decoded));
}

/** A report reads the same histogram several times. */
const DECODED = new Map<string, readonly Bucket[]>();
const MOST_DECODED = 20_000;

function decoded(encoded: string): readonly Bucket[] {
  const known = DECODED.get(encoded);
  if (known !== undefined) return known;
  if (DECODED.size >= MOST_DECODED) DECODED.clear();
  const histogram = histogramIn(encoded);
  const buckets: Bucket[] = [];
  let left = histogram.totalCount;
  for (let index = 0; left > 0; index++) {
    const count = histogram.getCountAtIndex(index);
    if (count > 0) buckets.push(bucketOf(histogram.valueFromIndex(index), count));
    left -= count;
  }
  DECODED.set(encoded, buckets);
  return buckets;
}

function histogramIn(encoded: string): hdr.JsHistogram {
  try {
    const histogram = hdr.decodeFromCompressedBase64(encoded);
    if (histogram instanceof hdr.JsHistogram) return histogram;
  } catch (cause) {
    throw new UserError(
      "the record is damaged: one of its histograms can't be read",
      'Name a record that a run has saved; they are in results/.',
      { cause },
    );
  }
  throw new Error('this hdr-histogram-js does not show what is in its buckets');
}
