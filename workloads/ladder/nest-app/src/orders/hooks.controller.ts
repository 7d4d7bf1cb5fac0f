import {
  Body,
  Controller,
  HttpCode,
  Param,
  Post,
  Query,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { hooksAnswer } from 'ladder-common/answers';
import { guards, interceptors, Passed } from '../hooks/hooks.js';
import { OrderDto } from './order.dto.js';

@Controller('items')
@UseGuards(...guards)
@UseInterceptors(...interceptors)
export class HooksController {
  @Post(':id')
  @HttpCode(200)
  order(
    @Param('id') id: string,
    @Query('currency') currency: string,
    @Body() order: OrderDto,
    @Passed() passed: number,
  ) {
    return hooksAnswer({ id, currency, order }, passed);
  }
}
