import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from '#app';

const host = process.env.HOST ?? '127.0.0.1';
const port = Number(process.env.PORT ?? 3011);

const app = await NestFactory.create<NestExpressApplication>(AppModule, {
  logger: ['error', 'warn'],
  forceCloseConnections: true,
});
app.enableShutdownHooks(['SIGTERM', 'SIGINT']);

try {
  await app.listen(port, host);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
