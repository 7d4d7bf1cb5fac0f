import { Inject, Injectable } from '@nestjs/common';
import { AdStore, type Settings } from 'bidder-domain';
import type { Redis } from 'ioredis';
import { REDIS } from '../redis/redis.module.js';
import { SETTINGS } from './settings.js';

@Injectable()
export class AdsRepository extends AdStore {
  constructor(@Inject(REDIS) redis: Redis, @Inject(SETTINGS) settings: Settings) {
    super(redis, settings);
  }
}
