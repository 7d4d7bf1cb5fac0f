// The ads and their budgets, from a seed: the same on every machine.

import { numbers } from './numbers.mjs';

const SEED = 20261120;
const COUNTRIES = ['KOR', 'USA', 'JPN', 'TWN', 'VNM', 'DEU', 'IDN'];
const SYSTEMS = ['Android', 'iOS', 'Windows', 'macOS'];
const CATEGORIES = [
  ...['IAB1-6', 'IAB2-3', 'IAB3-4', 'IAB4-5', 'IAB5-1', 'IAB6-3', 'IAB7-1', 'IAB8-9'],
  ...['IAB9-30', 'IAB10-7', 'IAB13-3', 'IAB17-12', 'IAB18-1', 'IAB19-6', 'IAB20-3', 'IAB22-1'],
];
/** Some have what encoders escape: `<`, `>`, `&`, quotes, a backslash. */
const TITLES = [
  'Shoes for every road',
  '오늘만 반값! 인기 상품 모음',
  'Tom & Anna’s <summer> sale',
  '여름 휴가 🏖️ 항공권 특가',
  'A phone that lasts 3 days',
  '갓 구운 빵 🥐 새벽 배송',
  'Learn "Go" in a weekend',
  '신규 가입하면 5,000원 쿠폰 🎁',
  'Game night 🎮🔥 starts here',
  '부산 호텔 1박 49,000원부터',
  'C:\\> the retro laptop is back',
  '가족과 함께 👨‍👩‍👧‍👦 캠핑 용품',
];

/**
 * The ads that win. They bid more than all others, and are few, so that the winner is the same whether the
 * candidates are these ten, the first 100 or all 200.
 */
const STARS = [
  { title: '겨울 코트 최대 70% 할인 🧥', countries: ['KOR'], os: ['Android'], spent: 1 },
  { title: '제주도 렌터카 하루 9,900원 🚗', countries: ['KOR'], os: ['Android', 'iOS'] },
  { title: 'Fresh coffee ☕ & 갓 볶은 원두', countries: ['KOR', 'JPN'], os: [] },
  { title: '<Deals> of the "day" & night', countries: ['USA', 'DEU'], os: ['iOS', 'macOS'] },
  { title: 'Play now 🎮 지금 바로 시작', countries: ['USA', 'KOR', 'TWN'], os: ['Android', 'iOS'] },
  { title: 'Ramen 🍜', countries: ['JPN'], os: ['iOS'], narrow: true },
  { title: 'Windows 노트북 특가전', countries: ['KOR', 'USA'], os: ['Windows'] },
  { title: 'A long title that no small place has the room to show 📏', countries: [], os: [] },
  { title: '어디서나 듣는 음악 🎧', countries: [], os: ['Android', 'iOS'] },
  { title: 'Trees 🌳 for every inbox', countries: [], os: [] },
];

/** From the dearest star down; no other ad bids so much. */
const STAR_CPM_MICROS = 12_400_000;
const STAR_STEP_MICROS = 350_000;
const MOST_CPM_MICROS = 6_000_000;

const number = numbers(SEED);
const below = (most) => Math.floor(number() * most);
const oneOf = (list) => list[below(list.length)];
/** Each of them by chance; with none of them, an ad goes everywhere. */
const someOf = (list, share) => list.filter(() => number() < share);

function ad(place, { title, countries, os, cpmMicros, narrow = false }) {
  const name = String(place).padStart(4, '0');
  const category = CATEGORIES[(place * 7) % CATEGORIES.length];
  return {
    id: `ad-${name}`,
    campaignId: `campaign-${String((place * 13) % 60).padStart(3, '0')}`,
    advertiser: `shop-${place % 50}.example`,
    categories: [category, category.split('-')[0]],
    cpmMicros,
    countries,
    os,
    title,
    description: place % 3 === 0 ? '' : `${title} - 지금 확인하세요`,
    sponsor: place % 4 === 3 ? '' : `Shop ${place % 50} 코리아`,
    image: {
      url: `https://cdn.example/c/${name}.jpg`,
      w: narrow ? 600 : 1200,
      h: narrow ? 314 : 627,
    },
    icon: { url: `https://cdn.example/i/${name}.png`, w: 80, h: 80 },
    landing: `https://shop-${place % 50}.example/p/${name}?utm_source=dsp&lang=ko`,
  };
}

/** Where the stars stand among the first 100. */
const starAt = (place) => (place < 100 && place % 10 === 4 ? STARS[Math.floor(place / 10)] : null);

function candidate(_, place) {
  const star = starAt(place);
  if (star !== null) {
    const cpmMicros = STAR_CPM_MICROS - STARS.indexOf(star) * STAR_STEP_MICROS;
    return ad(place, { ...star, cpmMicros });
  }
  return ad(place, {
    title: `${oneOf(TITLES)} #${place}`,
    countries: someOf(COUNTRIES, 0.4),
    os: someOf(SYSTEMS, 0.5),
    cpmMicros: 200_000 + below(MOST_CPM_MICROS - 200_000),
    narrow: number() < 0.25,
  });
}

/** All candidates, as they stand under the larger key. */
export const ADS = Array.from({ length: 200 }, candidate);
/** Those under the smaller key. */
export const FIRST_100 = ADS.slice(0, 100);
/** The ten that the repeated variants read and repeat. */
export const TEN = FIRST_100.filter((_, place) => starAt(place) !== null);

/** What each may still spend, in millionths of a dollar; some have less than they bid. */
export const BUDGETS = ADS.map(({ id, cpmMicros }, place) => {
  const plenty = 50_000_000 + below(500) * 1_000_000;
  const isSpent = starAt(place)?.spent === 1 || (starAt(place) === null && number() < 0.15);
  return { adId: id, leftMicros: isSpent ? Math.floor(cpmMicros / 2) : plenty };
});
