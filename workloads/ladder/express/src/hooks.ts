import type { RequestHandler } from 'express';
import { HOOKS } from 'ladder-common/hooks';

/** Middlewares that only count themselves. */
export const hooks = Array.from({ length: HOOKS }, (): RequestHandler => {
  return (_request, response, next) => {
    response.locals.passed = (response.locals.passed ?? 0) + 1;
    next();
  };
});
