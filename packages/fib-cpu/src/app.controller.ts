import { Controller, Get } from '@nestjs/common';
import { fibonacci } from './fibonacci.js';

@Controller()
export class AppController {
  @Get('test')
  getFibonacci(): string {
    return String(fibonacci(35));
  }
}
