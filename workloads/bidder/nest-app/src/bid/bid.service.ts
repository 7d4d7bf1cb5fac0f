import { Inject, Injectable } from '@nestjs/common';
import { type BidRequest, type BidResponse, type Clock, runAuction } from 'bidder-domain';
import { AdsRepository } from '../ads/ads.repository.js';
import { BudgetsRepository } from '../ads/budgets.repository.js';

export const CLOCK = Symbol('CLOCK');

@Injectable()
export class BidService {
  constructor(
    private readonly ads: AdsRepository,
    private readonly budgets: BudgetsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async bid(request: BidRequest): Promise<BidResponse | null> {
    return await runAuction(request, this.ads, this.budgets, this.clock);
  }
}
