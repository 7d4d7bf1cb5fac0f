import { BadRequestException, Body, Controller, HttpStatus, Post, Res } from '@nestjs/common';
import { type BidRequest, type BidResponse, isBiddable, type ServedAd } from 'bidder-domain';
import { BidService } from './bid.service.js';

/** What the replies of Express and of Fastify have alike. */
interface Reply {
  status(code: number): unknown;
}

@Controller('bid')
export class BidController {
  constructor(private readonly bids: BidService) {}

  @Post()
  async bid(
    @Body() request: Partial<BidRequest>,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<ServedAd | BidResponse | undefined> {
    if (!isBiddable(request)) throw new BadRequestException();
    const bid = await this.bids.bid(request);
    reply.status(bid === null ? HttpStatus.NO_CONTENT : HttpStatus.OK);
    return bid ?? undefined;
  }
}
