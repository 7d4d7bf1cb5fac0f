import type { ExecutionContext } from '@nestjs/common';

/** What hooks leave in a request. */
interface Passing {
  passed?: number;
}

/** How many guards and interceptors a request has gone through. */
export function passedOf(context: ExecutionContext): number {
  return context.switchToHttp().getRequest<Passing>().passed ?? 0;
}

/** Counts one more. */
export function pass(context: ExecutionContext): void {
  const request = context.switchToHttp().getRequest<Passing>();
  request.passed = (request.passed ?? 0) + 1;
}
