import type { IncomingMessage } from 'node:http';
import {
  bodyAnswer,
  hooksAnswer,
  type Ordered,
  rowAnswer,
  tokenAnswer,
} from 'ladder-common/answers';
import { HttpError } from 'ladder-common/errors';
import { isOrder } from 'ladder-common/validator';
import type { Handler } from './handler.js';
import { passHooks } from './hooks.js';
import { askedOf, readJson } from './request.js';
import { sendError, sendJson } from './response.js';

/** The rungs that read an order, from the body on. */
export const ordered = {
  body: () => answering(async (request) => bodyAnswer(await orderOf(request))),

  hooks: () => {
    return answering(async (request) => {
      const passed = passHooks();
      return hooksAnswer(await orderOf(request), passed);
    });
  },

  async token() {
    const { authenticated } = await import('./authenticated.js');
    return answering(async (request) => {
      const user = await authenticated(request);
      const passed = passHooks();
      return tokenAnswer(await orderOf(request), passed, user);
    });
  },

  async row() {
    const { authenticated } = await import('./authenticated.js');
    const { openItems } = await import('ladder-common/items');
    const items = openItems();
    const { listener } = answering(async (request) => {
      const user = await authenticated(request);
      const passed = passHooks();
      const order = await orderOf(request);
      const item = await items.find(order.id);
      if (item === null) throw new HttpError(404);
      return rowAnswer(order, passed, user, item);
    });
    return { listener, close: items.close };
  },
};

function answering(answer: (request: IncomingMessage) => Promise<object>): Handler {
  return {
    listener(request, response) {
      answer(request).then(
        (value) => sendJson(response, value),
        (error: unknown) => sendError(response, error),
      );
    },
    close: async () => {},
  };
}

async function orderOf(request: IncomingMessage): Promise<Ordered> {
  const { id, currency } = askedOf(request);
  const order = await readJson(request);
  if (!isOrder(order)) throw new HttpError(400);
  return { id, currency, order };
}
