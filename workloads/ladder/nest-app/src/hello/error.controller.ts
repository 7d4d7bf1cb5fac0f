import { Controller, Get, NotFoundException } from '@nestjs/common';

@Controller()
export class ErrorController {
  @Get()
  hello() {
    throw new NotFoundException();
  }
}
