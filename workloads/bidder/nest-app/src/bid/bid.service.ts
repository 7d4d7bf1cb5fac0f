import { Inject, Injectable } from '@nestjs/common';
import {
  BidLog,
  type BidRequest,
  type BidResponse,
  type Clock,
  type Means,
  runAuction,
  type ServedAd,
  type Settings,
} from 'bidder-domain';
import { AdsRepository } from '../ads/ads.repository.js';
import { BudgetsRepository } from '../ads/budgets.repository.js';
import { SETTINGS } from '../ads/settings.js';

export const CLOCK = Symbol('CLOCK');

@Injectable()
export class BidService {
  private readonly means: Means;

  constructor(
    ads: AdsRepository,
    budgets: BudgetsRepository,
    log: BidLog,
    @Inject(CLOCK) clock: Clock,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.means = { ads, budgets, log, clock, settings };
  }

  async bid(request: BidRequest): Promise<ServedAd | BidResponse | null> {
    return await runAuction(request, this.means);
  }
}
