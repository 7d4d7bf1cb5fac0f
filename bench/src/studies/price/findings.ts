import { type Estimate, lowerQuartiles, ratio as ratioOf } from '../../math/statistics.ts';
import { PRICES, type Variant } from './plan.ts';
import type { PriceRecord } from './record.ts';

/** What any single thing that the harness does may add to a server's CPU per request, as a share. */
export const PRICE_LIMIT = 0.01;

export type PriceVerdict = 'below' | 'above' | "can't tell";

export type PriceFinding = ReturnType<typeof findPrices>[number];

/** What everything that the harness does adds, from ratios within launches; without what makes no sense on a machine. */
export function findPrices({ variants, slices }: PriceRecord) {
  // Noise only adds to CPU time. A slice without an answer has no CPU time per request.
  const costsOf = (variant: Variant) => {
    const own = slices.filter((slice) => slice.variant === variant && slice.responses > 0);
    const costs = own.map(({ launch, cpuNs, responses }) => ({ launch, value: cpuNs / responses }));
    return lowerQuartiles(costs);
  };
  const measured = PRICES.filter((price) => {
    return variants.includes(price.with) && variants.includes(price.without);
  });
  return measured.map((price) => {
    /** CPU per request with it over that without it. */
    const ratio = ratioOf({ own: costsOf(price.with), other: costsOf(price.without) });
    return { name: price.name, ratio, verdict: priceVerdict(ratio) };
  });
}

/** By where the whole interval is. */
export function priceVerdict(ratio: Estimate): PriceVerdict {
  if (ratio.kind !== 'interval') return "can't tell";
  if (ratio.high < 1 + PRICE_LIMIT) return 'below';
  return ratio.low > 1 + PRICE_LIMIT ? 'above' : "can't tell";
}
