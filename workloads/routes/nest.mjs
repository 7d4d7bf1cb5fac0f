/** The controllers of both Nest servers, without a compiler: decorators are functions. */
import 'reflect-metadata';
import { Body, Controller, Get, HttpCode, Module, Param, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { address, middlewares, pathOf, RESOURCES, receive } from './routes.mjs';

/** A class with one handler, which answers this route with what it makes of its argument. */
function controller(route, argument, answer) {
  class Own {
    handle(value) {
      return answer(value);
    }
  }
  const { prototype } = Own;
  const descriptor = Object.getOwnPropertyDescriptor(prototype, 'handle');
  argument(prototype, 'handle', 0);
  for (const decorate of [route, HttpCode(200)]) decorate(prototype, 'handle', descriptor);
  Controller()(Own);
  return Own;
}

class Application {}
Module({
  controllers: [
    ...RESOURCES.map((resource) => {
      return controller(Get(pathOf(resource)), Param('id'), (id) => ({ resource, id }));
    }),
    controller(Post('/orders'), Body(), receive),
  ],
})(Application);

/** Serves by this adapter. */
export async function serve(adapter) {
  const app = await NestFactory.create(Application, adapter, { logger: ['error'] });
  for (const middleware of middlewares) app.use(middleware);
  await app.listen(address.port, address.host);
}
