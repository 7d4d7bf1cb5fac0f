import { Body, Controller, HttpCode, Param, Post, Query } from '@nestjs/common';
import { bodyAnswer } from 'ladder-common/answers';
import { OrderDto } from './order.dto.js';

@Controller('items')
export class BodyController {
  @Post(':id')
  @HttpCode(200)
  order(@Param('id') id: string, @Query('currency') currency: string, @Body() order: OrderDto) {
    return bodyAnswer({ id, currency, order });
  }
}
