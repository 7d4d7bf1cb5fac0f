import { Controller, Get, Param, Query } from '@nestjs/common';
import { paramsAnswer } from 'ladder-common/answers';

@Controller('items')
export class ParamsController {
  @Get(':id')
  item(@Param('id') id: string, @Query('currency') currency: string) {
    return paramsAnswer({ id, currency });
  }
}
