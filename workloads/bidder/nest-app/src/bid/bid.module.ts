import { Module } from '@nestjs/common';
import { BidLog, clockFrom, type Settings } from 'bidder-domain';
import type { Redis } from 'ioredis';
import { AdsModule } from '../ads/ads.module.js';
import { SETTINGS } from '../ads/settings.js';
import { REDIS } from '../redis/redis.module.js';
import { BidController } from './bid.controller.js';
import { BidService, CLOCK } from './bid.service.js';

@Module({
  imports: [AdsModule],
  controllers: [BidController],
  providers: [
    { provide: CLOCK, useFactory: () => clockFrom(process.env) },
    {
      provide: BidLog,
      inject: [REDIS, SETTINGS],
      useFactory: (redis: Redis, settings: Settings) => new BidLog(redis, settings),
    },
    BidService,
  ],
})
export class BidModule {}
