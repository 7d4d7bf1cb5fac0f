import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { settingsFrom } from 'ladder-common/rung';
import { KEEP_ALIVE_MS } from 'ladder-common/serve';
import { loggingOf, serve, serving } from 'ladder-nest-app';

const settings = settingsFrom(process.env);
const app = await NestFactory.create<NestExpressApplication>(await serving(settings), {
  ...loggingOf(settings),
  forceCloseConnections: true,
});
app.getHttpServer().keepAliveTimeout = KEEP_ALIVE_MS;
await serve(app, settings, 3044);
