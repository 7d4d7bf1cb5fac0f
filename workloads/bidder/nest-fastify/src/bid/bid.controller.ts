import { BadRequestException, Body, Controller, HttpStatus, Post, Res } from '@nestjs/common';
import { type BidRequest, type BidResponse, isBiddable } from 'bidder-domain';
import type { FastifyReply } from 'fastify';
import { BidService } from './bid.service.js';

@Controller('bid')
export class BidController {
  constructor(private readonly bids: BidService) {}

  @Post()
  async bid(
    @Body() request: Partial<BidRequest>,
    @Res({ passthrough: true }) response: FastifyReply,
  ): Promise<BidResponse | undefined> {
    if (!isBiddable(request)) throw new BadRequestException();
    const bid = await this.bids.bid(request);
    response.status(bid === null ? HttpStatus.NO_CONTENT : HttpStatus.OK);
    return bid ?? undefined;
  }
}
