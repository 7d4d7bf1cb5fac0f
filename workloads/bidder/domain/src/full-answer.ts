import LZString from 'lz-string';
import type { Ad } from './ads.js';
import { serve } from './creative.js';
import type { BidRequest, NativeRequest } from './request.js';
import type { BidResponse, Markup } from './response.js';

const MICROS = 1e6;

/** A whole OpenRTB bid with this ad at this time, ms since 1970. */
export function fullAnswer(
  ad: Ad,
  request: BidRequest,
  native: NativeRequest,
  nowMs: number,
): BidResponse {
  const [imp] = request.imp;
  const markup: Markup = {
    native: {
      ver: native.ver,
      assets: native.assets.map((asset) => serve(asset, ad)).filter((asset) => asset !== null),
      link: { url: redirectUrl(ad, request, nowMs) },
      imptrackers: [`https://track.bidder.example/i?r=${request.id}&a=${ad.id}`],
    },
  };
  return {
    id: request.id,
    bidid: `${request.id}:${ad.id}`,
    cur: 'USD',
    seatbid: [
      {
        seat: 'overhead',
        bid: [
          {
            id: '1',
            impid: imp.id,
            price: ad.cpmMicros / MICROS,
            adid: ad.id,
            adomain: [ad.advertiser],
            cid: ad.campaignId,
            crid: ad.id,
            cat: ad.categories,
            adm: JSON.stringify(markup),
          },
        ],
      },
    ],
  };
}

/** Where a click leads first: the bid's context travels along, compressed. */
function redirectUrl(ad: Ad, request: BidRequest, nowMs: number): string {
  const [imp] = request.imp;
  const { site, app } = request;
  const publisher = (site ?? app)?.publisher;
  const context = {
    v: 1,
    ts: nowMs,
    requestId: request.id,
    impId: imp.id,
    tagId: imp.tagid,
    adId: ad.id,
    campaignId: ad.campaignId,
    advertiser: ad.advertiser,
    title: ad.title,
    price: ad.cpmMicros / MICROS,
    country: request.device.geo.country,
    os: request.device.os,
    userId: request.user.id,
    publisherId: publisher?.id,
    publisher: publisher?.name,
    page: site?.page ?? app?.storeurl,
    landing: ad.landing,
  };
  const packed = LZString.compressToEncodedURIComponent(JSON.stringify(context));
  return `https://click.bidder.example/r?c=${packed}`;
}
