import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from 'bidder-nest-app';

const host = process.env.HOST ?? '127.0.0.1';
const port = Number(process.env.PORT ?? 3012);

const adapter = new FastifyAdapter({ forceCloseConnections: true });
const app = await NestFactory.create<NestFastifyApplication>(AppModule, adapter, {
  logger: ['error', 'warn'],
});
app.enableShutdownHooks(['SIGTERM', 'SIGINT']);

try {
  await app.listen(port, host);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
