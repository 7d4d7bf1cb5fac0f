import type { IncomingMessage } from 'node:http';
import { HttpError } from 'ladder-common/errors';
import { userOf } from 'ladder-common/token';

/** Whom the token of a request names. @throws HttpError where it has none that is ours. */
export async function authenticated({ headers }: IncomingMessage): Promise<string> {
  const user = await userOf(headers.authorization);
  if (user === null) throw new HttpError(401);
  return user;
}
