import { Controller, Get } from '@nestjs/common';
import { HELLO } from 'ladder-common/answers';

@Controller()
export class TextController {
  @Get()
  hello() {
    return HELLO;
  }
}
