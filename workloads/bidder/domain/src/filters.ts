import type { Ad, BudgetStore } from './ads.js';
import { serve } from './creative.js';
import type { BidRequest, NativeRequest } from './request.js';

/** Leaves those ads that may be shown to this request, in their order. */
export type Filter = (ads: Ad[], asked: Asked) => Promise<Ad[]>;

interface Asked {
  request: BidRequest;
  native: NativeRequest;
}

/** Without the advertisers that the publisher blocks. */
export const byAdvertiser: Filter = async (ads, { request: { badv = [] } }) => {
  if (badv.length === 0) return ads;
  return ads.filter(({ advertiser }) => !badv.includes(advertiser));
};

/** Without the categories that the publisher blocks, and what is below them: IAB7 blocks IAB7-1. */
export const byCategory: Filter = async (ads, { request: { bcat = [] } }) => {
  if (bcat.length === 0) return ads;
  const isBlocked = (category: string) => {
    const dash = category.indexOf('-');
    return bcat.includes(category) || (dash !== -1 && bcat.includes(category.slice(0, dash)));
  };
  return ads.filter(({ categories }) => !categories.some(isBlocked));
};

/** With more left of their budgets than they bid. */
export async function byBudget(ads: Ad[], budgets: BudgetStore): Promise<Ad[]> {
  // MGET wants a key.
  if (ads.length === 0) return ads;
  const left = await budgets.of(ads);
  return ads.filter(({ cpmMicros }, place) => (left[place] ?? 0) > cpmMicros);
}

/** Meant for the country where the user is. */
export const byCountry: Filter = async (ads, { request: { device } }) => {
  const { country } = device.geo;
  return ads.filter(({ countries }) => countries.length === 0 || countries.includes(country));
};

/** With all that the placement requires. */
export const byCreative: Filter = async (ads, { native }) => {
  const required = native.assets.filter((asset) => asset.required === 1);
  return ads.filter((ad) => required.every((asset) => serve(asset, ad) !== null));
};

/** Meant for the user's operating system. */
export const byOperatingSystem: Filter = async (ads, { request: { device } }) => {
  return ads.filter(({ os }) => os.length === 0 || os.includes(device.os));
};
