import LZString from 'lz-string';
import type { Ad } from './ads.js';
import type { BidRequest } from './request.js';

/** An ad, and where a click on it leads first. */
export interface ServedAd {
  id: string;
  url: string;
}

/** The answer with this ad at this time, ms since 1970: what is known of the bid travels along, compressed. */
export function servedAd(ad: Ad, { imp: [imp], site, cur }: BidRequest, nowMs: number): ServedAd {
  const context = {
    adId: ad.id,
    bidTimestamp: nowMs,
    bidCur: cur,
    impId: imp.id,
    siteDomain: site?.domain,
  };
  const packed = LZString.compressToEncodedURIComponent(JSON.stringify(context));
  return { id: ad.id, url: `https://redirect.example?d=${packed}` };
}
