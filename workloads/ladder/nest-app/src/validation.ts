import { ValidationPipe } from '@nestjs/common';

/** What is no order is refused, with properties that nobody asked for too; the rules are those of its class. */
export const validation = new ValidationPipe({
  transform: true,
  whitelist: true,
  forbidNonWhitelisted: true,
});
