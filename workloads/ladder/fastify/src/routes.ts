import type { FastifyInstance, FastifyRequest } from 'fastify';
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
import { ORDER_SCHEMA, type Order } from 'ladder-common/order';
import type { Served, Settings } from 'ladder-common/rung';
import {
  BODY_SCHEMA,
  HELLO_SCHEMA,
  HOOKS_SCHEMA,
  PARAMS_SCHEMA,
  ROW_SCHEMA,
  TOKEN_SCHEMA,
} from './schemas.js';

/** A plugin that adds a route. */
type Route = (app: FastifyInstance, settings: Settings) => Promise<void>;

interface AskedFor {
  Params: Pick<Asked, 'id'>;
  Querystring: Pick<Asked, 'currency'>;
}
interface OrderedBy extends AskedFor {
  Body: Order;
}

const ITEM = '/items/:id';

const hooks: Route = async (app, settings) => {
  const { schema, orderOf } = await orders(settings, HOOKS_SCHEMA);
  app.post<OrderedBy>(ITEM, { schema }, async (request) => {
    return hooksAnswer(orderOf(request), request.passed);
  });
};

export const routes: Readonly<Record<Served, Route>> = {
  async text(app) {
    app.get('/', () => HELLO);
  },
  async json(app) {
    app.get('/', { schema: { response: HELLO_SCHEMA } }, () => helloAnswer());
  },
  async error(app) {
    app.get('/', { schema: { response: HELLO_SCHEMA } }, () => {
      throw new HttpError(404);
    });
  },
  async params(app) {
    app.get<AskedFor>(ITEM, { schema: { response: PARAMS_SCHEMA } }, async (request) => {
      return paramsAnswer(askedOf(request));
    });
  },
  async body(app, settings) {
    const { schema, orderOf } = await orders(settings, BODY_SCHEMA);
    app.post<OrderedBy>(ITEM, { schema }, async (request) => bodyAnswer(orderOf(request)));
  },
  hooks,
  log: hooks,
  async token(app, settings) {
    const { schema, orderOf } = await orders(settings, TOKEN_SCHEMA);
    app.post<OrderedBy>(ITEM, { schema }, async (request) => {
      return tokenAnswer(orderOf(request), request.passed, request.user);
    });
  },
  async row(app, settings) {
    const { schema, orderOf } = await orders(settings, ROW_SCHEMA);
    const { openItems } = await import('ladder-common/items');
    const items = openItems();
    app.addHook('onClose', items.close);
    app.post<OrderedBy>(ITEM, { schema }, async (request) => {
      const order = orderOf(request);
      const item = await items.find(order.id);
      if (item === null) throw new HttpError(404);
      return rowAnswer(order, request.passed, request.user, item);
    });
  },
};

function askedOf({ params, query }: FastifyRequest<AskedFor>): Asked {
  return { id: params.id, currency: query.currency };
}

/** How an order is read off a request, and the schema of a route that does so. */
async function orders({ validator }: Settings, response: object) {
  const read = (request: FastifyRequest<OrderedBy>, order: Order): Ordered => {
    const { id, currency } = askedOf(request);
    return { id, currency, order };
  };
  if (validator === 'own') {
    const schema = { body: ORDER_SCHEMA, response };
    return { schema, orderOf: (request: FastifyRequest<OrderedBy>) => read(request, request.body) };
  }
  const { isOrder } = await import('ladder-common/validator');
  return {
    schema: { response },
    orderOf(request: FastifyRequest<OrderedBy>) {
      if (!isOrder(request.body)) throw new HttpError(400);
      return read(request, request.body);
    },
  };
}
