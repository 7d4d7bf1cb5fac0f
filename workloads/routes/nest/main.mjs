/** 200 routes, ten middlewares that do little, and orders of 10 kB. The folder stands by itself: copy it. */
import 'reflect-metadata';
import { Body, Controller, Get, HttpCode, Module, Param, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';

const RESOURCES = Array.from({ length: 199 }, (_, index) => index + 1);
const pathOf = (resource) => `/resources-${resource}/:id`;

/** Each notes something in the request, as those for logs, sessions and identities do. */
const middlewares = Array.from({ length: 10 }, (_, index) => {
  return (request, _response, next) => {
    request[`middleware${index}`] = request.headers.host;
    next();
  };
});

function receive({ items }) {
  const total = items.reduce((sum, { quantity, price }) => sum + quantity * price, 0);
  return { items: items.length, total };
}

/** A class with one handler, which answers a route. Without a compiler: decorators are functions. */
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

const app = await NestFactory.create(Application, new ExpressAdapter(), { logger: ['error'] });
for (const middleware of middlewares) app.use(middleware);
await app.listen(Number(process.env.PORT ?? 0), process.env.HOST ?? '127.0.0.1');
