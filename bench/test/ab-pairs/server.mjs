/** A server of `FRAMEWORK` whose requests take `TURNS` of extra known work; to be run in the checkout. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [framework, turns] = [process.argv[2], Number(process.argv[3])];
const [port, host] = [Number(process.env.PORT), process.env.HOST];
// This file is copied elsewhere, so it has no relative imports.
const root = process.cwd();
const { spin } = await import(`${pathToFileURL(join(root, 'bench/truth/spin.ts'))}`);
const load = (folder, name) => {
  const from = createRequire(join(root, 'packages', folder, 'package.json'));
  return import(`${pathToFileURL(from.resolve(name))}`);
};

// The work of a request.
function answer() {
  spin(turns);
  return 'Hello World!';
}

const SERVERS = {
  async express() {
    const { default: express } = await load('express-app', 'express');
    const app = express();
    app.get('/', (_request, response) => response.send(answer()));
    app.listen(port, host);
  },
  async fastify() {
    const { default: fastify } = await load('fastify-app', 'fastify');
    const app = fastify();
    app.get('/', async () => answer());
    await app.listen({ port, host });
  },
  async nest() {
    await load('nest-express', 'reflect-metadata');
    const { Controller, Get, Module } = await load('nest-express', '@nestjs/common');
    const { NestFactory } = await load('nest-express', '@nestjs/core');
    class App {
      answer() {
        return answer();
      }
    }
    class AppModule {}
    const method = Object.getOwnPropertyDescriptor(App.prototype, 'answer');
    Get()(App.prototype, 'answer', method);
    Controller()(App);
    Module({ controllers: [App] })(AppModule);
    const app = await NestFactory.create(AppModule, { logger: false });
    await app.listen(port, host);
  },
};

await SERVERS[framework]();
