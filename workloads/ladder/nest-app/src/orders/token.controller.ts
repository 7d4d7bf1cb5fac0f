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
import { tokenAnswer } from 'ladder-common/answers';
import { AuthGuard } from '../auth/auth.guard.js';
import { User } from '../auth/user.decorator.js';
import { guards, interceptors, Passed } from '../hooks/hooks.js';
import { OrderDto } from './order.dto.js';

@Controller('items')
@UseGuards(AuthGuard, ...guards)
@UseInterceptors(...interceptors)
export class TokenController {
  @Post(':id')
  @HttpCode(200)
  order(
    @Param('id') id: string,
    @Query('currency') currency: string,
    @Body() order: OrderDto,
    @Passed() passed: number,
    @User() user: string,
  ) {
    return tokenAnswer({ id, currency, order }, passed, user);
  }
}
