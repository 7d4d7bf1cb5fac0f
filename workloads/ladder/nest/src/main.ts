import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { settingsFrom } from 'ladder-common/rung';
import { loggingOf, serve, serving } from 'ladder-nest-app';

const settings = settingsFrom(process.env);
const app = await NestFactory.create<NestExpressApplication>(await serving(settings), {
  ...loggingOf(settings),
  forceCloseConnections: true,
});
await serve(app, settings, 3044);
