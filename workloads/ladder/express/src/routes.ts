import type { Express, Request, Response } from 'express';
import {
  type Asked,
  bodyAnswer,
  HELLO,
  helloAnswer,
  hooksAnswer,
  type Ordered,
  paramsAnswer,
  rowAnswer,
  tokenAnswer,
} from 'ladder-common/answers';
import { HttpError } from 'ladder-common/errors';
import type { Served } from 'ladder-common/rung';
import type { Locals } from './locals.js';

/** Adds its route to an application, and says how to close what it has opened. */
type Route = (app: Express) => Promise<() => Promise<void>>;

const ITEM = '/items/:id';
const nothing = async () => {};

const hooks: Route = async (app) => {
  const orderOf = await orders();
  app.post(ITEM, (request, response: Response<unknown, Locals>) => {
    response.json(hooksAnswer(orderOf(request), response.locals.passed));
  });
  return nothing;
};

export const routes: Readonly<Record<Served, Route>> = {
  async text(app) {
    app.get('/', (_request, response) => {
      response.send(HELLO);
    });
    return nothing;
  },
  async json(app) {
    app.get('/', (_request, response) => {
      response.json(helloAnswer());
    });
    return nothing;
  },
  async error(app) {
    app.get('/', () => {
      throw new HttpError(404);
    });
    return nothing;
  },
  async params(app) {
    app.get(ITEM, (request, response) => {
      response.json(paramsAnswer(askedOf(request)));
    });
    return nothing;
  },
  async body(app) {
    const orderOf = await orders();
    app.post(ITEM, (request, response) => {
      response.json(bodyAnswer(orderOf(request)));
    });
    return nothing;
  },
  hooks,
  log: hooks,
  async token(app) {
    const orderOf = await orders();
    app.post(ITEM, (request, response: Response<unknown, Locals>) => {
      const { passed, user } = response.locals;
      response.json(tokenAnswer(orderOf(request), passed, user));
    });
    return nothing;
  },
  async row(app) {
    const orderOf = await orders();
    const { openItems } = await import('ladder-common/items');
    const items = openItems();
    app.post(ITEM, async (request, response: Response<unknown, Locals>) => {
      const order = orderOf(request);
      const item = await items.find(order.id);
      if (item === null) throw new HttpError(404);
      const { passed, user } = response.locals;
      response.json(rowAnswer(order, passed, user, item));
    });
    return items.close;
  },
};

function askedOf({ params, query }: Request<{ id: string }>): Asked {
  return { id: params.id, currency: String(query.currency ?? '') };
}

/** How an order is read off a request. */
async function orders(): Promise<(request: Request<{ id: string }>) => Ordered> {
  const { isOrder } = await import('ladder-common/validator');
  return (request) => {
    const order: unknown = request.body;
    if (!isOrder(order)) throw new HttpError(400);
    const { id, currency } = askedOf(request);
    return { id, currency, order };
  };
}
