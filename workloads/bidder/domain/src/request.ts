/** What is read of an OpenRTB 2.6 bid request with a native placement. */
export interface BidRequest {
  id: string;
  imp: [Imp, ...Imp[]];
  site?: { domain: string; page: string; publisher: Publisher };
  app?: { storeurl: string; publisher: Publisher };
  device: { os: string; geo: { country: string } };
  user: { id: string };
  cur: string[];
  bcat?: string[];
  badv?: string[];
}

export interface Imp {
  id: string;
  tagid: string;
  /** `request` is a native request as JSON. */
  native: { request: string };
}

interface Publisher {
  id: string;
  name: string;
}

/** What a placement asks for (OpenRTB Native 1.2). */
export interface NativeRequest {
  ver: string;
  assets: Asset[];
}

export interface Asset {
  id: number;
  required: 0 | 1;
  title?: { len: number };
  img?: { type: number; wmin: number; hmin: number };
  data?: { type: number; len: number };
}
