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

const MOST = 200;
const FEWER = 100;
/** The ids of the ads that are repeated. */
const TEN = Array.from({ length: 10 }, (_, place) => `ad-00${place}4`);

// Records are an extension that nothing but msgpackr writes.
const unpackr = new Unpackr({ useRecords: false });

/** The ads that may be shown at all. JSON comes as text, msgpack as bytes. */
export class AdStore {
  constructor(
    private readonly redis: Redis,
    private readonly settings: Settings,
  ) {}

  async candidates(): Promise<Ad[]> {
    const { candidates, choice } = this.settings;
    const count = choice === 'random' && Math.random() < 0.5 ? FEWER : MOST;
    if (candidates === 'key') return (await this.one<Ad[]>(`candidates:${count}`)) ?? [];
    const ids = Array.from({ length: count }, (_, place) => TEN[place % TEN.length]);
    const found = await this.several<Ad>(ids.map((id) => `ad:${id}`));
    return found.filter((ad) => ad !== null);
  }

  private async one<T>(key: string): Promise<T | null> {
    if (this.settings.format === 'json') {
      const text = await this.redis.get(`json:${key}`);
      return text === null ? null : JSON.parse(text);
    }
    const bytes = await this.redis.getBuffer(`msgpack:${key}`);
    return bytes === null ? null : unpackr.unpack(bytes);
  }

  private async several<T>(keys: string[]): Promise<(T | null)[]> {
    if (this.settings.format === 'json') {
      const texts = await this.redis.mget(keys.map((key) => `json:${key}`));
      return texts.map((text) => (text === null ? null : JSON.parse(text)));
    }
    const all = await this.redis.mgetBuffer(keys.map((key) => `msgpack:${key}`));
    return all.map((bytes) => (bytes === null ? null : unpackr.unpack(bytes)));
  }
}

/** What ads may still spend: plain numbers, in millionths of a US dollar. */
export class BudgetStore {
  constructor(private readonly redis: Redis) {}

  /** In the order of these ads; 0 for one without. */
  async of(ads: Ad[]): Promise<number[]> {
    const left = await this.redis.mget(ads.map(({ id }) => `budget:${id}`));
    return left.map(Number);
  }
}
