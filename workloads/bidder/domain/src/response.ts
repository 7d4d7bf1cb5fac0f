import type { ServedAsset } from './creative.js';

/** An OpenRTB 2.6 bid response with one bid. */
export interface BidResponse {
  id: string;
  bidid: string;
  cur: string;
  seatbid: { seat: string; bid: Bid[] }[];
}

export interface Bid {
  id: string;
  impid: string;
  /** US dollars for a thousand impressions. */
  price: number;
  adid: string;
  adomain: string[];
  cid: string;
  crid: string;
  cat: string[];
  /** The markup as JSON. */
  adm: string;
}

/** The native markup of an ad. */
export interface Markup {
  native: {
    ver: string;
    assets: ServedAsset[];
    link: { url: string };
    imptrackers: string[];
  };
}
