import type { ErrorRequestHandler } from 'express';
import { problemOf, statusOf } from 'ladder-common/errors';

/** Answers what was thrown. Express knows it by its four parameters. */
export const problems: ErrorRequestHandler = (error, _request, response, _next) => {
  const status = statusOf(error);
  response.status(status).json(problemOf(status));
};
