import { Controller, Get } from '@nestjs/common';
import { helloAnswer } from 'ladder-common/answers';

@Controller()
export class JsonController {
  @Get()
  hello() {
    return helloAnswer();
  }
}
