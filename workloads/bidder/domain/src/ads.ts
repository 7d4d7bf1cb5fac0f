import type { Redis } from 'ioredis';
import { Unpackr } from 'msgpackr';
import type { Settings } from './settings.js';

export interface Ad {
  id: string;
  campaignId: string;
  advertiser: string;
  categories: string[];
  /** Millionths of a US dollar for a thousand impressions. */
  cpmMicros: number;
  /** None are all. */
  countries: string[];
  /** None are all. */
  os: string[];
  title: string;
  /** May be empty, as the sponsor. */
  description: string;
  sponsor: string;
  image: Image;
  icon: Image;
  landing: string;
}

export interface Image {
  url: string;
  w: number;
  h: number;
}

export interface Budget {
  adId: string;
  dailyMicros: number;
  spentMicros: number;
}

const MOST = 200;
const FEWER = 100;
/** The ads that are repeated. */
const REPEATED = Array.from({ length: 10 }, (_, place) => place);

// Records are an extension that nothing but msgpackr writes.
const unpackr = new Unpackr({ useRecords: false });

/** What Redis holds under a key, decoded: JSON comes as text, msgpack as bytes. */
class Store {
  constructor(
    protected readonly redis: Redis,
    protected readonly settings: Settings,
  ) {}

  protected async one<T>(key: string): Promise<T | null> {
    if (this.settings.format === 'json') {
      const text = await this.redis.get(`json:${key}`);
      return text === null ? null : JSON.parse(text);
    }
    const bytes = await this.redis.getBuffer(`msgpack:${key}`);
    return bytes === null ? null : unpackr.unpack(bytes);
  }

  protected async several<T>(keys: string[]): Promise<(T | null)[]> {
    if (this.settings.format === 'json') {
      const texts = await this.redis.mget(keys.map((key) => `json:${key}`));
      return texts.map((text) => (text === null ? null : JSON.parse(text)));
    }
    const all = await this.redis.mgetBuffer(keys.map((key) => `msgpack:${key}`));
    return all.map((bytes) => (bytes === null ? null : unpackr.unpack(bytes)));
  }
}

/** The ads that may be shown at all. */
export class AdStore extends Store {
  async candidates(): Promise<Ad[]> {
    const { candidates, choice } = this.settings;
    const count = choice === 'random' && Math.random() < 0.5 ? FEWER : MOST;
    if (candidates === 'key') return (await this.one<Ad[]>(`candidates:${count}`)) ?? [];
    const found = await this.several<Ad>(REPEATED.map((place) => `ad:${place}`));
    const ads = found.filter((ad) => ad !== null);
    return Array.from({ length: count }, (_, place) => ads[place % ads.length]).filter(
      (ad) => ad !== undefined,
    );
  }
}

/** What ads may still spend. */
export class BudgetStore extends Store {
  /** The budgets of these ads, in their order; null for one without. */
  async of(ads: Ad[]): Promise<(Budget | null)[]> {
    return await this.several<Budget>(ads.map(({ id }) => `budget:${id}`));
  }
}
