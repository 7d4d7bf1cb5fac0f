import { Module } from '@nestjs/common';
import { clockFrom } from 'bidder-domain';
import { AdsModule } from '../ads/ads.module.js';
import { BidController } from './bid.controller.js';
import { BidService, CLOCK } from './bid.service.js';

@Module({
  imports: [AdsModule],
  controllers: [BidController],
  providers: [{ provide: CLOCK, useFactory: () => clockFrom(process.env) }, BidService],
})
export class BidModule {}
