import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { settingsFrom } from 'ladder-common/rung';
import { loggingOf, serve, serving } from 'ladder-nest-app';

const settings = settingsFrom(process.env);
const app = await NestFactory.create<NestFastifyApplication>(
  await serving(settings),
  new FastifyAdapter({ forceCloseConnections: true }),
  loggingOf(settings),
);
await serve(app, settings, 3045);
