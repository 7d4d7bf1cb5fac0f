import type { DynamicModule } from '@nestjs/common';
import { destination } from 'ladder-common/log';
import { HTTP_OPTIONS } from 'ladder-common/request-log';
import { LoggerModule } from 'nestjs-pino';

/** What it takes by itself, `{/*splat}`, matches nothing on Fastify: no request would be logged. */
const EVERYWHERE = '*path';

/** A line a request, and Nest's own lines, by pino. */
export async function logging(): Promise<DynamicModule> {
  return LoggerModule.forRoot({ pinoHttp: [HTTP_OPTIONS, destination], forRoutes: [EVERYWHERE] });
}
