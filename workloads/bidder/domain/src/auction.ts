import type { Ad, AdStore, BudgetStore } from './ads.js';
import { type ServedAd, servedAd } from './answer.js';
import type { BidLog } from './bid-log.js';
import type { Clock } from './clock.js';
import {
  byAdvertiser,
  byBudget,
  byCategory,
  byCountry,
  byCreative,
  byOperatingSystem,
  type Filter,
} from './filters.js';
import { fullAnswer } from './full-answer.js';
import type { BidRequest, NativeRequest } from './request.js';
import type { BidResponse } from './response.js';
import type { Settings } from './settings.js';

/** What an auction is held with. */
export interface Means {
  ads: AdStore;
  budgets: BudgetStore;
  log: BidLog;
  clock: Clock;
  settings: Settings;
}

/** Whether it is a bid request with a native placement, as far as an auction needs it. */
export function isBiddable(request: Partial<BidRequest> | null | undefined): request is BidRequest {
  return (
    typeof request?.imp?.[0]?.native?.request === 'string' &&
    typeof request.device?.geo?.country === 'string' &&
    request.user !== undefined &&
    (request.site ?? request.app)?.publisher !== undefined
  );
}

/**
 * Answers with the dearest ad that may be shown. Where there is none, a full answer is null, which OpenRTB calls no bid.
 * @throws where there is none, as it was published.
 */
export async function runAuction(
  request: BidRequest,
  { ads, budgets, log, clock, settings }: Means,
): Promise<ServedAd | BidResponse | null> {
  const [imp] = request.imp;
  const native: NativeRequest = JSON.parse(imp.native.request);
  const filters: Filter[] = [
    byAdvertiser,
    byCategory,
    (left) => byBudget(left, budgets),
    byCountry,
    byCreative,
    byOperatingSystem,
  ];
  let left = await ads.candidates();
  for (const filter of filters) left = await filter(left, { request, native });
  const winner = dearest(left);
  const isFull = settings.answer === 'full';
  if (winner === null && !isFull) throw new Error('no ad is left');
  const answer =
    winner &&
    (isFull ? fullAnswer(winner, request, native, clock()) : servedAd(winner, request, clock()));
  log.add(request, answer);
  return answer;
}

function dearest(ads: Ad[]): Ad | null {
  let best: Ad | null = null;
  for (const ad of ads) {
    if (best === null || ad.cpmMicros > best.cpmMicros) best = ad;
  }
  return best;
}
