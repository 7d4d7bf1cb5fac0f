import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Authenticated } from './auth.guard.js';

/** Whom the token of a request names. */
export const User = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<Authenticated>().user;
});
