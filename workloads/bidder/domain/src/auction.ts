import type { Ad, AdStore, BudgetStore } from './ads.js';
import { answerWith } from './answer.js';
import type { Clock } from './clock.js';
import {
  byAdvertiser,
  byBudget,
  byCategory,
  byCountry,
  byCreative,
  byOperatingSystem,
} from './filters.js';
import type { BidRequest, NativeRequest } from './request.js';
import type { BidResponse } from './response.js';

/** Whether it is a bid request with a native placement, as far as an auction needs it. */
export function isBiddable(request: Partial<BidRequest> | null | undefined): request is BidRequest {
  return (
    typeof request?.imp?.[0]?.native?.request === 'string' &&
    typeof request.device?.geo?.country === 'string' &&
    request.user !== undefined &&
    (request.site ?? request.app)?.publisher !== undefined
  );
}

/** Bids with the dearest ad that may be shown; null where there is none. */
export async function runAuction(
  request: BidRequest,
  ads: AdStore,
  budgets: BudgetStore,
  clock: Clock,
): Promise<BidResponse | null> {
  const [imp] = request.imp;
  const native: NativeRequest = JSON.parse(imp.native.request);
  const allowed = byCategory(byAdvertiser(await ads.candidates(), request), request);
  if (allowed.length === 0) return null;
  const paid = byBudget(allowed, await budgets.of(allowed));
  const shown = byOperatingSystem(byCreative(byCountry(paid, request), native), request);
  const winner = dearest(shown);
  return winner === null ? null : answerWith(winner, request, native, clock());
}

function dearest(ads: Ad[]): Ad | null {
  let best: Ad | null = null;
  for (const ad of ads) {
    if (best === null || ad.cpmMicros > best.cpmMicros) best = ad;
  }
  return best;
}
