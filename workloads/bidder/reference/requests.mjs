// The 20 bid requests of the mix (OpenRTB 2.6 with a native placement), each named by what is special in it.

const title = (len) => ({ id: 1, required: 1, title: { len } });
const image = (wmin, hmin) => ({ id: 2, required: 1, img: { type: 3, wmin, hmin } });
const icon = (required) => ({ id: 3, required, img: { type: 1, wmin: 50, hmin: 50 } });
const sponsor = (required) => ({ id: 4, required, data: { type: 1, len: 40 } });
const description = (required) => ({ id: 5, required, data: { type: 2, len: 90 } });

const FEED = [title(60), image(600, 314), icon(0), sponsor(0), description(0)];
const LARGE = [title(90), image(1200, 627), sponsor(0)];
const SMALL = [title(25), image(600, 314), icon(1)];

/** A user in a country with a system; what the publisher blocks; what the placement asks for. */
const CASES = [
  { name: 'korean-android', country: 'KOR', os: 'Android', assets: FEED },
  { name: 'korean-ios', country: 'KOR', os: 'iOS', assets: LARGE },
  { name: 'korean-windows', country: 'KOR', os: 'Windows', assets: FEED },
  { name: 'korean-mac', country: 'KOR', os: 'macOS', assets: LARGE },
  { name: 'us-ios', country: 'USA', os: 'iOS', assets: FEED },
  { name: 'us-android', country: 'USA', os: 'Android', assets: LARGE },
  { name: 'us-windows', country: 'USA', os: 'Windows', assets: SMALL },
  { name: 'japan-ios', country: 'JPN', os: 'iOS', assets: FEED, badv: ['shop-24.example'] },
  { name: 'japan-ios-large', country: 'JPN', os: 'iOS', assets: LARGE, badv: ['shop-24.example'] },
  { name: 'germany-mac', country: 'DEU', os: 'macOS', assets: SMALL },
  { name: 'taiwan-android', country: 'TWN', os: 'Android', assets: FEED },
  { name: 'vietnam-ios', country: 'VNM', os: 'iOS', assets: FEED },
  { name: 'vietnam-ios-small', country: 'VNM', os: 'iOS', assets: SMALL },
  {
    name: 'blocked-advertisers',
    country: 'KOR',
    os: 'Android',
    assets: FEED,
    badv: ['shop-14.example', 'shop-24.example'],
  },
  {
    name: 'blocked-categories',
    country: 'USA',
    os: 'iOS',
    assets: FEED,
    bcat: ['IAB3', 'IAB5-1', 'IAB20'],
  },
  { name: 'described', country: 'KOR', os: 'iOS', assets: [title(60), description(1), sponsor(1)] },
  {
    name: 'no-such-country',
    country: 'ISL',
    os: 'Android',
    assets: FEED,
    bcat: [
      'IAB4',
      'IAB8',
      'IAB9',
      'IAB10',
      'IAB1',
      'IAB2',
      'IAB3',
      'IAB5',
      'IAB6',
      'IAB7',
      'IAB13',
      'IAB17',
      'IAB18',
      'IAB19',
      'IAB20',
      'IAB22',
    ],
  },
  { name: 'poster', country: 'KOR', os: 'Android', assets: [title(60), image(2400, 1254)] },
  { name: 'three-letters', country: 'USA', os: 'iOS', assets: [title(3), image(600, 314)] },
  {
    name: 'video-only',
    country: 'JPN',
    os: 'Windows',
    assets: [
      { id: 1, required: 1, video: { mimes: ['video/mp4'], minduration: 5, maxduration: 30 } },
    ],
  },
];

const AGENTS = {
  Android:
    'Mozilla/5.0 (Linux; Android 16; SM-S938N) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  iOS: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
  Windows:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  macOS:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Safari/605.1.15',
};

function source(place) {
  const publisher = {
    id: `pub-${place % 4}`,
    name: ['한국일보 닷컴', 'Daily & Sons', '맛집 지도 🍚', 'Weather <now>'][place % 4],
  };
  return place % 2 === 0
    ? {
        site: {
          id: `site-${place}`,
          domain: `news-${place}.example`,
          cat: ['IAB12'],
          page: `https://news-${place}.example/article/${1000 + place}?ref=home&q=오늘의 소식`,
          publisher,
        },
      }
    : {
        app: {
          id: `app-${place}`,
          bundle: `com.example.app${place}`,
          name: '매일 날씨 ☀️',
          cat: ['IAB15-10'],
          storeurl: `https://store.example/app?id=com.example.app${place}&hl=ko`,
          publisher,
        },
      };
}

function bidRequest(
  { name, country, os, assets, badv = ['casino.example'], bcat = ['IAB26'] },
  place,
) {
  const hex = (place * 2654435761 + 40503).toString(16).padStart(12, '0');
  return {
    id: `${name}-${hex}`,
    imp: [
      {
        id: '1',
        tagid: `feed-${place % 5}`,
        native: {
          request: JSON.stringify({
            ver: '1.2',
            context: 1,
            contextsubtype: 11,
            plcmttype: 1,
            plcmtcnt: 1,
            assets,
            eventtrackers: [{ event: 1, methods: [1, 2] }],
          }),
          ver: '1.2',
        },
        bidfloor: 0.1,
        bidfloorcur: 'USD',
        secure: 1,
      },
    ],
    ...source(place),
    device: {
      ua: AGENTS[os],
      ip: `203.0.113.${place + 1}`,
      geo: { country, type: 2 },
      os,
      osv: '19.1',
      devicetype: os === 'Android' || os === 'iOS' ? 4 : 2,
      language: country === 'KOR' ? 'ko' : 'en',
      ifa: `0f8e3c1a-0000-4000-8000-${hex}`,
    },
    user: { id: `user-${hex}` },
    at: 1,
    tmax: 120,
    cur: ['USD'],
    bcat,
    badv,
    regs: { coppa: 0 },
  };
}

/** In the order of the mix. */
export const REQUESTS = CASES.map((each, place) => ({
  name: each.name,
  request: bidRequest(each, place),
}));
