import type { Redis } from 'ioredis';
import type { BidRequest } from './request.js';
import type { Settings } from './settings.js';

/** About so many entries are kept. */
const MOST = 1000;

/** Requests and their answers, in a stream in Redis, for whom nobody waits. */
export class BidLog {
  constructor(
    private readonly redis: Redis,
    private readonly settings: Settings,
  ) {}

  add(request: BidRequest, answer: object | null): void {
    if (this.settings.log === 'none') return;
    const entry = ['request', JSON.stringify(request), 'answer', JSON.stringify(answer)];
    this.redis.xadd('bids', 'MAXLEN', '~', MOST, '*', ...entry).catch((error: unknown) => {
      console.error(error);
    });
  }
}
