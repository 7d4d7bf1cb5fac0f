import 'reflect-metadata';
import type { INestApplication, NestApplicationOptions } from '@nestjs/common';
import type { Settings } from 'ladder-common/rung';
import { giveUp, placeFrom } from 'ladder-common/serve';

/** How an application says what happens to it: by pino where requests are logged. */
export function loggingOf({ has }: Settings): NestApplicationOptions {
  return has('log') ? { bufferLogs: true } : { logger: ['error', 'warn'] };
}

/** Has an application serve where the environment says. */
export async function serve(
  app: INestApplication,
  { has }: Settings,
  usualPort: number,
): Promise<void> {
  if (has('log')) app.useLogger(app.get((await import('nestjs-pino')).Logger));
  app.enableShutdownHooks(['SIGTERM', 'SIGINT']);
  const { host, port } = placeFrom(process.env, usualPort);
  try {
    await app.listen(port, host);
  } catch (error) {
    giveUp(error);
  }
}
