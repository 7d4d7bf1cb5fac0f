import { Module } from '@nestjs/common';
import { BidModule } from './bid/bid.module.js';
import { RedisModule } from './redis/redis.module.js';

@Module({ imports: [RedisModule, BidModule] })
export class AppModule {}
