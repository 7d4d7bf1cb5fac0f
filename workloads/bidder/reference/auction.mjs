// What a bidder answers, written down once more and as plainly as can be: the servers share nothing with it.
// Where theirs filter six times and take the best, this one asks from the dearest ad down which may be shown.
import LZString from 'lz-string';

/** The time that servers are told (CLOCK). */
export const CLOCK = '2026-01-01T00:00:00Z';

/** Everything that speaks against showing an ad to this request: the filters that it does not pass. */
export function objections(ad, request, budgets) {
  const native = JSON.parse(request.imp[0].native.request);
  const { country } = request.device.geo;
  const budget = budgets.find(({ adId }) => adId === ad.id);
  const isIn = (category, blocked) => category === blocked || category.startsWith(`${blocked}-`);
  const against = {
    advertiser: request.badv.includes(ad.advertiser),
    category: request.bcat.some((blocked) => ad.categories.some((own) => isIn(own, blocked))),
    budget: budget.leftMicros <= ad.cpmMicros,
    country: ad.countries.length > 0 && !ad.countries.includes(country),
    creative: native.assets.some((asset) => asset.required === 1 && served(asset, ad) === null),
    os: ad.os.length > 0 && !ad.os.includes(request.device.os),
  };
  return Object.keys(against).filter((filter) => against[filter]);
}

/** How an ad serves an asset of a placement; null where it can't. */
function served({ id, title, img, data }, ad) {
  if (title !== undefined) {
    // A length is in characters as Unicode counts them, not in UTF-16 units or bytes.
    return [...ad.title].length <= title.len ? { id, title: { text: ad.title } } : null;
  }
  if (img !== undefined) {
    const image = { 1: ad.icon, 3: ad.image }[img.type];
    if (image === undefined || image.w < img.wmin || image.h < img.hmin) return null;
    return { id, img: { url: image.url, w: image.w, h: image.h } };
  }
  if (data !== undefined) {
    const value = { 1: ad.sponsor, 2: ad.description }[data.type] ?? '';
    return value === '' || [...value].length > data.len ? null : { id, data: { value } };
  }
  return null;
}

/** The winner among these candidates; null where none may be shown. */
export function winnerOf(request, candidates, budgets) {
  const dearestFirst = candidates.toSorted((one, other) => other.cpmMicros - one.cpmMicros);
  return dearestFirst.find((ad) => objections(ad, request, budgets).length === 0) ?? null;
}

/** The answer with this winner, as it was published. */
export function answerWith(ad, { imp, site, cur }) {
  const context = {
    adId: ad.id,
    bidTimestamp: Date.parse(CLOCK),
    bidCur: cur,
    impId: imp[0].id,
    ...(site && { siteDomain: site.domain }),
  };
  const packed = LZString.compressToEncodedURIComponent(JSON.stringify(context));
  return { id: ad.id, url: `https://redirect.example?d=${packed}` };
}

/** The whole OpenRTB answer with it. */
export function fullAnswerWith(ad, request) {
  const [imp] = request.imp;
  const { site, app } = request;
  const price = ad.cpmMicros / 1e6;
  const context = {
    v: 1,
    ts: Date.parse(CLOCK),
    requestId: request.id,
    impId: imp.id,
    tagId: imp.tagid,
    adId: ad.id,
    campaignId: ad.campaignId,
    advertiser: ad.advertiser,
    title: ad.title,
    price,
    country: request.device.geo.country,
    os: request.device.os,
    userId: request.user.id,
    publisherId: (site ?? app).publisher.id,
    publisher: (site ?? app).publisher.name,
    page: site?.page ?? app.storeurl,
    landing: ad.landing,
  };
  const packed = LZString.compressToEncodedURIComponent(JSON.stringify(context));
  const native = JSON.parse(imp.native.request);
  const markup = {
    native: {
      ver: native.ver,
      assets: native.assets.map((asset) => served(asset, ad)).filter((asset) => asset !== null),
      link: { url: `https://click.bidder.example/r?c=${packed}` },
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
            price,
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
