import {
  Body,
  Controller,
  HttpCode,
  NotFoundException,
  Param,
  Post,
  Query,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { rowAnswer } from 'ladder-common/answers';
import { AuthGuard } from '../auth/auth.guard.js';
import { User } from '../auth/user.decorator.js';
import { guards, interceptors, Passed } from '../hooks/hooks.js';
import { ItemsService } from '../items/items.service.js';
import { OrderDto } from './order.dto.js';

@Controller('items')
@UseGuards(AuthGuard, ...guards)
@UseInterceptors(...interceptors)
export class RowController {
  constructor(private readonly items: ItemsService) {}

  @Post(':id')
  @HttpCode(200)
  async order(
    @Param('id') id: string,
    @Query('currency') currency: string,
    @Body() order: OrderDto,
    @Passed() passed: number,
    @User() user: string,
  ) {
    const item = await this.items.find(id);
    if (item === null) throw new NotFoundException();
    return rowAnswer({ id, currency, order }, passed, user, item);
  }
}
