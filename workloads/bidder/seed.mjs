// Fills Redis: candidates under one key of 100 and one of 200, and ten ads one by one, as JSON and as msgpack; what is
// left of each budget as a plain number.
import { Redis } from 'ioredis';
import { Packr } from 'msgpackr';
import { ADS, BUDGETS, FIRST_100, TEN } from './reference/ads.mjs';

const { REDIS_URL } = process.env;
if (REDIS_URL === undefined) throw new Error('REDIS_URL says where Redis is, and is not set');

/** Records are an extension of msgpackr's own, which nothing but msgpackr reads. */
const packr = new Packr({ useRecords: false });
const FORMATS = {
  json: (value) => JSON.stringify(value),
  msgpack: (value) => packr.pack(value),
};

const redis = new Redis(REDIS_URL);
for (const [format, encode] of Object.entries(FORMATS)) {
  const values = new Map([
    [`${format}:candidates:100`, FIRST_100],
    [`${format}:candidates:200`, ADS],
    ...TEN.map((ad) => [`${format}:ad:${ad.id}`, ad]),
  ]);
  await redis.mset(new Map([...values].map(([key, value]) => [key, encode(value)])));
}
await redis.mset(new Map(BUDGETS.map(({ adId, leftMicros }) => [`budget:${adId}`, leftMicros])));
await redis.quit();
