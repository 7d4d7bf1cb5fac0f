import type { FastifyReply, FastifyRequest } from 'fastify';
import { problemOf, statusOf } from 'ladder-common/errors';

/** Answers what was thrown. */
export function problems(error: unknown, _request: FastifyRequest, reply: FastifyReply): void {
  const status = statusOf(error);
  reply.code(status).send(problemOf(status));
}
