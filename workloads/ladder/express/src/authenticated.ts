import type { RequestHandler } from 'express';
import { HttpError } from 'ladder-common/errors';
import { userOf } from 'ladder-common/token';

/** Lets only those pass whose token is ours. */
export const authenticated: RequestHandler = async (request, response, next) => {
  const user = await userOf(request.headers.authorization);
  if (user === null) throw new HttpError(401);
  response.locals.user = user;
  next();
};
