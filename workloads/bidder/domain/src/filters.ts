import type { Ad, Budget } from './ads.js';
import { serve } from './creative.js';
import type { BidRequest, NativeRequest } from './request.js';

/** Without the advertisers that the publisher blocks. */
export function byAdvertiser(ads: Ad[], { badv = [] }: BidRequest): Ad[] {
  const blocked = new Set(badv);
  return ads.filter(({ advertiser }) => !blocked.has(advertiser));
}

/** Without the categories that the publisher blocks, and what is below them: IAB7 blocks IAB7-1. */
export function byCategory(ads: Ad[], { bcat = [] }: BidRequest): Ad[] {
  const blocked = new Set(bcat);
  const isBlocked = (category: string) => {
    const dash = category.indexOf('-');
    return blocked.has(category) || (dash !== -1 && blocked.has(category.slice(0, dash)));
  };
  return ads.filter(({ categories }) => !categories.some(isBlocked));
}

const IMPRESSIONS_OF_A_CPM = 1000;

/** With enough left of their budgets, which are in the order of the ads, for an impression. */
export function byBudget(ads: Ad[], budgets: (Budget | null)[]): Ad[] {
  return ads.filter(({ cpmMicros }, place) => {
    const budget = budgets[place];
    if (!budget) return false;
    const price = Math.floor(cpmMicros / IMPRESSIONS_OF_A_CPM);
    return budget.dailyMicros - budget.spentMicros >= price;
  });
}

/** Meant for the country where the user is. */
export function byCountry(ads: Ad[], { device }: BidRequest): Ad[] {
  const { country } = device.geo;
  return ads.filter(({ countries }) => countries.length === 0 || countries.includes(country));
}

/** With all that the placement requires. */
export function byCreative(ads: Ad[], { assets }: NativeRequest): Ad[] {
  const required = assets.filter((asset) => asset.required === 1);
  return ads.filter((ad) => required.every((asset) => serve(asset, ad) !== null));
}

/** Meant for the user's operating system. */
export function byOperatingSystem(ads: Ad[], { device }: BidRequest): Ad[] {
  return ads.filter(({ os }) => os.length === 0 || os.includes(device.os));
}
