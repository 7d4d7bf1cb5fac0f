import {
  type Estimate,
  lowerQuartiles,
  ratio as ratioOf,
  type Sides,
} from '../../math/statistics.ts';
import { PRICES, type Price, type PriceName } from './plan.ts';
import type { PriceRecord, PriceSlice } from './record.ts';

/** What any one thing that the harness does may add to a server's CPU per request, as a share. */
export const PRICE_LIMIT = 0.01;

/** Whether a price is shown to be below the limit, or above it. */
export type PriceVerdict = 'below' | 'above' | "can't tell";

/** What one thing that the harness does adds to a server. */
export type PriceFinding =
  | {
      state: 'measured';
      name: PriceName;
      /** CPU per request with it over that without it. */
      ratio: Estimate;
      verdict: PriceVerdict;
    }
  /** It makes no sense on this machine. */
  | { state: 'left out'; name: PriceName };

/** What everything that the harness does adds, each from ratios within launches. */
export function findPrices({ variants, slices }: PriceRecord): PriceFinding[] {
  return PRICES.map((price) => {
    const { name } = price;
    if (!variants.includes(price.with) || !variants.includes(price.without)) {
      return { state: 'left out', name };
    }
    const ratio = ratioOf(sidesOf(slices, price));
    return { state: 'measured', name, ratio, verdict: priceVerdict(ratio) };
  });
}

/** Below or above where the whole interval is. */
export function priceVerdict(ratio: Estimate): PriceVerdict {
  if (ratio.kind !== 'interval') return "can't tell";
  if (ratio.high < 1 + PRICE_LIMIT) return 'below';
  return ratio.low > 1 + PRICE_LIMIT ? 'above' : "can't tell";
}

/** Of CPU per request, to which noise only adds; a slice without an answer tells of none. */
function sidesOf(slices: readonly PriceSlice[], price: Price): Sides {
  const [own = [], other = []] = [price.with, price.without].map((variant) => {
    const own = slices.filter((slice) => slice.variant === variant && slice.responses > 0);
    return lowerQuartiles(own.map((slice) => ({ launch: slice.launch, value: costOf(slice) })));
  });
  return { own, other };
}

/** CPU time for each answer, ns. */
function costOf({ cpuNs, responses }: PriceSlice): number {
  return cpuNs / responses;
}
