import {
  type CallHandler,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import { HOOKS } from 'ladder-common/hooks';
import { pass, passedOf } from './passing.js';

/** Of the ten, so many are interceptors, and so many pipes; the others are guards. */
const INTERCEPTORS = 3;
const PIPES = 3;

class CountingGuard implements CanActivate {
  canActivate(context: ExecutionContext) {
    pass(context);
    return true;
  }
}

class CountingInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    pass(context);
    return next.handle();
  }
}

/** A pipe sees nothing of a request but the value that it is on: the count so far. */
class CountingPipe implements PipeTransform<number, number> {
  transform(passed: number) {
    return passed + 1;
  }
}

export const guards = several(HOOKS - INTERCEPTORS - PIPES, () => new CountingGuard());
export const interceptors = several(INTERCEPTORS, () => new CountingInterceptor());
const pipes = several(PIPES, () => new CountingPipe());

const Counted = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  return passedOf(context);
});

/** How many guards, interceptors and pipes a request has gone through. */
export const Passed = () => Counted(...pipes);

function several<T>(length: number, make: () => T): T[] {
  return Array.from({ length }, make);
}
