import { Inject, Injectable } from '@nestjs/common';
import { BudgetStore } from 'bidder-domain';
import type { Redis } from 'ioredis';
import { REDIS } from '../redis/redis.module.js';

@Injectable()
export class BudgetsRepository extends BudgetStore {
  constructor(@Inject(REDIS) redis: Redis) {
    super(redis);
  }
}
